#include "distribution.h"

#include <math.h>
#include <string.h>

#include "field.h"
#include "scene.h"

FIELD_CHOICE(distribution_kind_name, "constant", "uniform", "normal", "log-normal", "sieve", "discrete")

/* Cumulative normal distribution. */
static double normal_cumulative(double x) { return 0.5 * erfc(-x * 0.70710678118654752440); }

/* Cumulative untruncated distribution at a size. */
static double cumulative_at(const distribution *sizes, double size) {
    const double x = sizes->kind == DISTRIBUTION_LOG_NORMAL ? log(size) : size;
    return normal_cumulative((x - sizes->centre) / sizes->deviation);
}

static double rational(const double *numerator, const double *denominator, double x) {
    double above = numerator[7], below = denominator[6];
    for (int i = 6; i >= 0; --i) above = above * x + numerator[i];
    for (int i = 5; i >= 0; --i) below = below * x + denominator[i];
    return above / (below * x + 1);
}

/* Inverse of the cumulative normal distribution to about 16 digits: algorithm AS 241, PPND16 (M. J. Wichura,
 * Applied Statistics 37, 1988, 477–484). */
static double normal_quantile(double p) {
    static const double a[8] = {3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
                                1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                3.3430575583588128105e+4, 2.5090809287301226727e+3};
    static const double b[7] = {4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
                                2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4,
                                5.2264952788528545610e+3};
    static const double c[8] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                                5.76949722146069140550e0,  3.64784832476320460504e0,
                                1.27045825245236838258e0,  2.41780725177450611770e-1,
                                2.27238449892691845833e-2, 7.74545014278341407640e-4};
    static const double d[7] = {2.05319162663775882187e0,  1.67638483018380384940e0,
                                6.89767334985100004550e-1, 1.48103976427480074590e-1,
                                1.51986665636164571966e-2, 5.47593808499534494600e-4,
                                1.05075007164441684324e-9};
    static const double e[8] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                                1.78482653991729133580e0,  2.96560571828504891230e-1,
                                2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                2.71155556874348757815e-5, 2.01033439929228813265e-7};
    static const double f[7] = {5.99832206555887937690e-1, 1.36929880922735805310e-1,
                                1.48753612908506148525e-2, 7.86869131145613259100e-4,
                                1.84631831751005468180e-5, 1.42151175831644588870e-7,
                                2.04426310338993978564e-15};
    const double q = p - 0.5;
    if (fabs(q) <= 0.425) return q * rational(a, b, 0.180625 - q * q);
    const double r = sqrt(-log(q < 0 ? p : 1 - p));
    const double x = r <= 5 ? rational(c, d, r - 1.6) : rational(e, f, r - 5);
    return q < 0 ? -x : x;
}

double distribution_quantile(const distribution *sizes, double u) {
    double size = sizes->minimum;
    if (sizes->kind == DISTRIBUTION_UNIFORM) size += u * (sizes->maximum - sizes->minimum);
    if (sizes->kind == DISTRIBUTION_NORMAL || sizes->kind == DISTRIBUTION_LOG_NORMAL) {
        const double below = cumulative_at(sizes, sizes->minimum),
                     within = cumulative_at(sizes, sizes->maximum) - below;
        size = sizes->centre + sizes->deviation * normal_quantile(below + u * within);
        if (sizes->kind == DISTRIBUTION_LOG_NORMAL) size = exp(size);
    }
    if (sizes->classes) {
        int i = 0;
        while (i < sizes->classes - 1 && u >= sizes->cumulative[i]) i++;
        const double start = i ? sizes->cumulative[i - 1] : 0, fraction = sizes->cumulative[i] - start;
        const double within = fraction > 0 ? (u - start) / fraction : 0;
        size = sizes->lows[i] + within * (sizes->highs[i] - sizes->lows[i]);
    }
    return fmin(fmax(size, sizes->minimum), sizes->maximum);
}

double distribution_mean_cube(const distribution *sizes) {
    enum { STRATA = 65536 };
    if (sizes->kind == DISTRIBUTION_CONSTANT) return sizes->minimum * sizes->minimum * sizes->minimum;
    double sum = 0;
    for (int i = 0; i < STRATA; i++) {
        const double size = distribution_quantile(sizes, (i + 0.5) / STRATA);
        sum += size * size * size;
    }
    return sum / STRATA;
}

int distribution_classes(const distribution *sizes, grading_class *out) {
    for (int i = 0; i < sizes->classes; i++)
        out[i] = (grading_class){.from = sizes->lows[i], .to = sizes->highs[i], .share = sizes->fractions[i]};
    return sizes->classes;
}

/* Reads ascending lengths into `out` and returns their number in `count`. */
static scree_result rising_read(const scene_node *node, const char *what, size_t least, size_t most,
                                double *out, int *count) {
    TRY(array_check(node, least, most));
    *count = (int)json_array_size(node->value);
    for (int i = 0; i < *count; i++) {
        const scene_node element = node_element(node, (size_t)i);
        TRY(number_read(&element, (field_range)LENGTH, "m", &out[i]));
        if (i && !(out[i] > out[i - 1])) {
            char value[NODE_TEXT];
            return node_fail(&element, "%s; must be more than the preceding %s, %.9g",
                             node_describe(&element, value), what, out[i - 1]);
        }
    }
    return SCREE_OK;
}

/* A sieve's classes lie between two openings. */
static scree_result openings_read(const scene_node *node, void *target) {
    distribution *sizes = target;
    double openings[SIEVE_CLASSES_MOST + 1];
    int count;
    TRY(rising_read(node, "opening", 2, SIEVE_CLASSES_MOST + 1, openings, &count));
    sizes->classes = count - 1;
    memcpy(sizes->lows, openings, (size_t)sizes->classes * sizeof *openings);
    memcpy(sizes->highs, openings + 1, (size_t)sizes->classes * sizeof *openings);
    return SCREE_OK;
}

static scree_result values_read(const scene_node *node, void *target) {
    distribution *sizes = target;
    TRY(rising_read(node, "value", 1, SIEVE_CLASSES_MOST, sizes->lows, &sizes->classes));
    memcpy(sizes->highs, sizes->lows, sizeof sizes->lows);
    return SCREE_OK;
}

/* Follows the rows of the sizes, whose number is then known. */
static scree_result fractions_read(const scene_node *node, void *target) {
    distribution *sizes = target;
    const bool between = sizes->kind == DISTRIBUTION_SIEVE;
    if (!sizes->classes) return SCREE_OK; /* the sizes are missing */
    TRY(array_check(node, 1, SIEVE_CLASSES_MOST));
    const int count = (int)json_array_size(node->value);
    if (count != sizes->classes)
        return node_fail(node, "%d fractions; must be %d, one for each %s", count, sizes->classes,
                         between ? "class between two openings" : "value");
    return numbers_read(node, (field_range)BETWEEN(0, 1e6), NULL, (size_t)count, false, sizes->fractions);
}

/* Computes number fractions. The mean mass of a grain of a class is proportional to the mean cube of its
 * sizes, (b⁴ − a⁴)/(4(b − a)) for sizes uniform in a … b. */
static scree_result take_classes(const scene_node *node, distribution *sizes) {
    const scene_node fractions = node_member(node, "fractions");
    double total = 0;
    for (int i = 0; i < sizes->classes; i++) {
        const double a = sizes->lows[i], b = sizes->highs[i], cube = (a + b) * (a * a + b * b) / 4;
        total += sizes->basis == FRACTION_BY_NUMBER ? sizes->fractions[i] : sizes->fractions[i] / cube;
        sizes->cumulative[i] = total;
    }
    if (!(total > 0)) return node_fail(&fractions, "all zero; one must be > 0");
    for (int i = 0; i < sizes->classes; i++) sizes->cumulative[i] /= total;
    sizes->minimum = sizes->lows[0];
    sizes->maximum = sizes->highs[sizes->classes - 1];
    return SCREE_OK;
}

static scree_result check_order(const scene_node *node, const distribution *sizes) {
    if (sizes->minimum < sizes->maximum) return SCREE_OK;
    return node_fail(node, "minimum %.9g, maximum %.9g; must have a minimum below the maximum",
                     sizes->minimum, sizes->maximum);
}

/* Limits that the file omits lie three standard deviations from the centre. */
static scree_result truncate_sizes(const scene_node *node, distribution *sizes) {
    const bool logarithmic = sizes->kind == DISTRIBUTION_LOG_NORMAL;
    if (logarithmic) sizes->centre = log(sizes->centre);
    const double low = sizes->centre - 3 * sizes->deviation, high = sizes->centre + 3 * sizes->deviation;
    const field_range length = LENGTH;
    if (!(sizes->minimum > 0)) sizes->minimum = logarithmic ? exp(low) : low;
    if (!(sizes->maximum > 0)) sizes->maximum = logarithmic ? exp(high) : high;
    if (sizes->minimum < length.low || sizes->maximum > length.high)
        return node_fail(
            node,
            "sizes from %.9g to %.9g (±3 deviations); must have \"minimum\" and \"maximum\" that "
            "keep them from %g to %g",
            sizes->minimum, sizes->maximum, length.low, length.high);
    TRY(check_order(node, sizes));
    if (cumulative_at(sizes, sizes->maximum) - cumulative_at(sizes, sizes->minimum) < 1e-6)
        return node_fail(node,
                         "less than 1e-6 of the distribution lies between minimum and maximum; must be more");
    return SCREE_OK;
}

FIELD_CHOICE(basis_name, "mass", [FRACTION_BY_NUMBER] = "number")
#define ROW(TYPE, KEY, MEMBER, HELP, ...) FIELD(TYPE, KEY, distribution, MEMBER, HELP, __VA_ARGS__)
#define LENGTH_ROW(KEY, MEMBER, HELP, ...)                                                                   \
    ROW(DOUBLE, KEY, MEMBER, HELP, .range = LENGTH, .unit = "m", __VA_ARGS__)
#define LIMIT_ROWS(...)                                                                                      \
    LENGTH_ROW("minimum", minimum, "smallest size", __VA_ARGS__),                                            \
        LENGTH_ROW("maximum", maximum, "largest size", __VA_ARGS__)
#define TABLE_ROWS                                                                                           \
    FIELD_OF_ALL(NUMBERS, "fractions", "one fraction for each class or value, in any unit", .least = 1,      \
                 .most = SIEVE_CLASSES_MOST, .range = BETWEEN(0, 1e6), .read = fractions_read,               \
                 .required = true),                                                                          \
        ROW(ENUM, "by", basis, "quantity of which these are fractions", .name = basis_name)

static const field constant_fields[] = {LENGTH_ROW("value", minimum, "size of all grains", .required = true)};
static const field uniform_fields[] = {LIMIT_ROWS(.required = true)};
static const field normal_fields[] = {
    LENGTH_ROW("mean", centre, "mean", .required = true),
    ROW(DOUBLE, "deviation", deviation, "standard deviation", .range = BETWEEN(1e-12, 1e6), .unit = "m",
        .required = true),
    LIMIT_ROWS(.default_text = "three deviations from the mean"),
};
static const field log_normal_fields[] = {
    LENGTH_ROW("median", centre, "median", .required = true),
    ROW(DOUBLE, "deviation", deviation, "standard deviation of the natural logarithm of the size",
        .range = BETWEEN(1e-6, 10), .required = true),
    LIMIT_ROWS(.default_text = "three deviations from the median"),
};
static const field sieve_fields[] = {FIELD_OF_ALL(NUMBERS, "openings",
                                                  "increasing sizes, between which the classes lie",
                                                  .least = 2, .most = SIEVE_CLASSES_MOST + 1, .range = LENGTH,
                                                  .unit = "m", .read = openings_read, .required = true),
                                     TABLE_ROWS};
static const field discrete_fields[] = {FIELD_OF_ALL(NUMBERS, "values", "increasing sizes", .least = 1,
                                                     .most = SIEVE_CLASSES_MOST, .range = LENGTH, .unit = "m",
                                                     .read = values_read, .required = true),
                                        TABLE_ROWS};

static const field_table kinds[] = {
    [DISTRIBUTION_CONSTANT] = FIELD_KIND(constant_fields, "one size"),
    [DISTRIBUTION_UNIFORM] = FIELD_KIND(uniform_fields, "all sizes between two are equally frequent"),
    [DISTRIBUTION_NORMAL] = FIELD_KIND(normal_fields, "normal, truncated at `minimum` and `maximum`"),
    [DISTRIBUTION_LOG_NORMAL] = FIELD_KIND(log_normal_fields, "log-normal, truncated in the same way"),
    [DISTRIBUTION_SIEVE] = FIELD_KIND(sieve_fields, "classes between sieve openings, uniform within a class"),
    [DISTRIBUTION_DISCRETE] = FIELD_KIND(discrete_fields, "a few sizes; two are a bidisperse mixture"),
};

FIELD_DEFAULTS(distribution_begin, distribution, (distribution){.kind = (distribution_kind)kind})

static scree_result distribution_finish(const scene_node *node, void *target) {
    distribution *sizes = target;
    switch (sizes->kind) {
    case DISTRIBUTION_CONSTANT:
        sizes->maximum = sizes->minimum;
        return SCREE_OK;
    case DISTRIBUTION_UNIFORM:
        return check_order(node, sizes);
    case DISTRIBUTION_NORMAL:
    case DISTRIBUTION_LOG_NORMAL:
        return truncate_sizes(node, sizes);
    case DISTRIBUTION_SIEVE:
    case DISTRIBUTION_DISCRETE:
        return take_classes(node, sizes);
    }
    return SCREE_OK;
}

static scree_result size_read(const scene_node *node, void *target) {
    distribution *sizes = target;
    if (!json_is_number(node->value)) return node_refuse(node, "a length or an object");
    *sizes = (distribution){.kind = DISTRIBUTION_CONSTANT};
    TRY(number_read(node, (field_range)LENGTH, "m", &sizes->minimum));
    sizes->maximum = sizes->minimum;
    return SCREE_OK;
}

static const field size_field = {
    .type = FIELD_DOUBLE, .range = LENGTH, .unit = "m", .help = "size of all grains", .read = size_read};

const scene_object distribution_object =
    SCENE_OBJECT("distribution", distribution, .kind = distribution_kind_name, .kinds = kinds,
                 .begin = distribution_begin, .finish = distribution_finish, .other = &size_field);
