#include "run_summary.h"

#include "progress.h"

#include <math.h>
#include <stddef.h>

#include "base/memory.h"

static void add_outflow(run_summary *self, const scree_statistics *s) {
    if (!s->removed) return;
    self->out_last = (struct outflow){s->time, s->removed_mass, s->removed_total};
    if (!(self->out_first.time > 0)) self->out_first = self->out_last;
}

/* NaN is the largest value. */
static void add_peak(peak *self, double value, uint64_t step) {
    self->sum += value;
    if (self->step && (isnan(self->most) || value <= self->most)) return;
    self->most = value;
    self->step = step;
}

static void raise(double *most, double value) {
    if (value > *most) *most = value;
}

static void add_stage(stage_sum *sum, const stage_sum *from) {
    sum->seconds += from->seconds;
    sum->launches += from->launches, sum->waits += from->waits, sum->work_items += from->work_items;
    sum->bytes_up += from->bytes_up, sum->bytes_down += from->bytes_down, sum->busy += from->busy;
}

static stage_sum stage_sum_of(const scree_stage_report *report) {
    const scree_device_traffic *t = &report->device;
    return (stage_sum){.seconds = report->seconds,
                       .launches = t->launches,
                       .waits = t->waits,
                       .bytes_up = (double)t->bytes_up,
                       .bytes_down = (double)t->bytes_down,
                       .work_items = (double)t->work_items,
                       .busy = t->busy};
}

/* Selects the steps whose times are reported, and their number: verified steps, since re-solving is not part
 * of a step, and the first one, which loads kernels, are excluded unless there are no others. */
static const stage_sum *stages_of(const run_summary *self, double *steps) {
    *steps = (double)(self->plain ? self->plain : self->steps ? self->steps : 1);
    return self->plain ? self->plain_stages : self->stages;
}

static void add_stages(run_summary *self, const scree_statistics *s) {
    const bool first = self->steps == 1, plain = !first && !s->verified;
    for (int i = 0; i < SCREE_STAGE_COUNT; i++) {
        const stage_sum sum = stage_sum_of(&s->stages[i]);
        add_stage(&self->stages[i], &sum);
        if (plain) add_stage(&self->plain_stages[i], &sum);
    }
    self->plain += plain;
    if (first) self->first_seconds = s->timing.total;
    if (s->verified) self->verified_seconds += s->timing.total;
}

void run_summary_add(run_summary *self, const scree_statistics *s) {
    if (!self->energy_step) {
        self->energy_step = s->step;
        self->first_energy = s->kinetic_energy + s->potential_energy;
    }
    ++self->steps;
    self->last = *s;
    self->iterations += (uint64_t)s->solve.iterations;
    if (s->solve.stop != SCREE_STOP_NONE) {
        ++self->solves;
        add_peak(&self->residual, s->solve.residual, s->step);
        add_peak(&self->violation, s->solve.violation, s->step);
    }
    add_peak(&self->penetration, s->penetration_max, s->step);
    add_peak(&self->joint_error, s->joint_error_max, s->step);
    add_peak(&self->joint_angle_error, s->joint_angle_error_max, s->step);
    add_peak(&self->travel, s->travel_max, s->step);
    self->late += (uint64_t)s->late;
    self->inserted += (uint64_t)s->inserted;
    self->removed += (uint64_t)s->removed;
    self->waited += s->inlets_waiting > 0;
    add_outflow(self, s);
    self->broken += (uint64_t)s->joints_broken;
    if (s->verified) {
        ++self->verified;
        if (!isnan(s->verify_backend_difference)) ++self->compared;
        raise(&self->verify_difference, s->verify_difference);
        raise(&self->verify_backend_difference, s->verify_backend_difference);
        raise(&self->verify_residual, s->verify_residual);
    }
    add_stages(self, s);
    if (s->contacts_barrier) self->contacts_barrier = s->contacts_barrier;
    if (s->stay_barrier) self->stay_barrier = s->stay_barrier;
    self->brought += s->stay_barrier != NULL;
}

void run_summary_restart_energy(run_summary *self) { self->energy_step = 0; }

/* Reports which stages ran on the device. */
static void report_pipeline(const run_summary *self, const scree_world *world, FILE *out) {
    if (scree_world_get_def(world).pipeline == SCREE_PIPELINE_DEVICE &&
        !(self->stages[SCREE_STAGE_PAIRS].launches > 0))
        fprintf(out, "  pairs were found by the host, because the world is periodic\n");
    if (self->contacts_barrier)
        fprintf(out, "  contacts were found by the host%s, because %s\n",
                self->stages[SCREE_STAGE_CONTACTS].launches > 0 ? " in some steps" : "",
                self->contacts_barrier);
    if (self->stay_barrier)
        fprintf(out, "  contacts were brought to the host in %d of %d steps, because %s\n", self->brought,
                (int)self->steps, self->stay_barrier);
}

static void report_stage(const stage_sum *sum, double steps, double timed, const char *name, FILE *out) {
    fprintf(out, "  %-10s %10.3f", name, 1e3 * sum->seconds / timed);
    if (sum->launches + sum->waits + sum->bytes_up + sum->bytes_down > 0)
        fprintf(out, " %9.1f %7.1f %10.3f %10.3f %12.0f %10.3f", sum->launches / steps, sum->waits / steps,
                1e-6 * sum->bytes_up / steps, 1e-6 * sum->bytes_down / steps, sum->work_items / steps,
                1e3 * sum->busy / steps);
    fprintf(out, "\n");
}

void run_summary_profile(const run_summary *self, const scree_world *world, FILE *out) {
    double timed;
    stage_sum all = {0};
    const stage_sum *seconds = stages_of(self, &timed);
    const double steps = (double)self->steps;
    if (!self->steps) return;
    fprintf(out, "  %-10s %10s %9s %7s %10s %10s %12s %10s\n", "per step", "ms", "launches", "waits", "MB up",
            "MB down", "work-items", "kernels ms");
    for (int i = 0; i < SCREE_STAGE_COUNT; i++) {
        stage_sum sum = self->stages[i];
        sum.seconds = seconds[i].seconds;
        add_stage(&all, &sum);
        report_stage(&sum, steps, timed, scree_step_stage_name((scree_step_stage)i), out);
    }
    report_stage(&all, steps, timed, "total", out);
    if (self->plain)
        fprintf(out, "  times are without the first step, which took %.3f ms and loads kernels\n",
                1e3 * self->first_seconds);
    report_pipeline(self, world, out);
}

/* Finds the mean size (radius or smallest half extent, m) and total mass (kg) of the dynamic bodies. */
static void measure_bodies(const scree_world *world, double *size, double *mass) {
    const int count = scree_body_count(world);
    SCOPED scree_body_id *ids = memory_allocate((size_t)count, sizeof *ids);
    int dynamic = 0;
    *size = *mass = 0;
    if (!ids) return;
    scree_body_list(world, ids, count);
    for (int i = 0; i < count; i++) {
        scree_body_def def;
        float body_mass = 0;
        if (scree_body_get_def(world, ids[i], &def) != SCREE_OK || def.type != SCREE_BODY_DYNAMIC) continue;
        if (scree_body_get_mass(world, ids[i], &body_mass, NULL) != SCREE_OK) continue;
        ++dynamic;
        *size += scree_shape_get_half_width(def.shape);
        *mass += (double)body_mass;
    }
    if (dynamic) *size /= dynamic;
}

double run_summary_dynamic_mass(const scree_world *world) {
    double size, mass;
    measure_bodies(world, &size, &mass);
    return mass;
}

/* Relative to the mean half width; the scenes of the repository stay below 0.006. */
static const double JOINTS_APART = 0.1;

bool run_summary_joints_open(run_summary *self, const scree_world *world) {
    double size, mass;
    if (!self->last.joints) return false;
    if (self->joints_limit == 0) {
        measure_bodies(world, &size, &mass);
        self->joints_limit = JOINTS_APART * size;
    }
    if (self->joints_limit == 0 || !(self->last.joint_error_max > self->joints_limit)) return false;
    self->joints_limit = INFINITY;
    return true;
}

void run_summary_warn_of_joints(const run_summary *self, FILE *out) {
    fprintf(out,
            "scree run: warning: step %llu: joints: apart by %.3g mm; must be below %g %% of the mean half "
            "width; "
            "make smaller steps\n",
            (unsigned long long)self->last.step, 1e3 * self->last.joint_error_max, 100 * JOINTS_APART);
}

/* In half sizes of a body. Spheres that bounce in a closed box overlap by up to their diameter from here on
 * (host/step/README.md). */
static const double FARTHEST = 10;

bool run_summary_moves_far(run_summary *self) {
    const bool far = !self->warned_of_travel && self->last.touching > 0 && self->last.travel_max > FARTHEST;
    self->warned_of_travel |= far;
    return far;
}

void run_summary_warn_of_travel(const run_summary *self, FILE *out) {
    fprintf(
        out,
        "scree run: warning: step %llu: travel: %.3g half sizes of a body in a step; must be below %g for "
        "contacts without deep overlaps; make smaller steps\n",
        (unsigned long long)self->last.step, self->last.travel_max, FARTHEST);
}

static void report_stages(const run_summary *self, FILE *out) {
    double timed, total = 0;
    const stage_sum *of = stages_of(self, &timed);
    for (int i = 0; i < SCREE_STAGE_COUNT; i++) total += of[i].seconds;
    const double percent = total > 0 ? 100 / total : 0, contacts = of[SCREE_STAGE_CONTACTS].seconds,
                 pairs = of[SCREE_STAGE_BOUNDS].seconds + of[SCREE_STAGE_PAIRS].seconds +
                         of[SCREE_STAGE_DETECTION].seconds,
                 problem = of[SCREE_STAGE_ROWS].seconds + of[SCREE_STAGE_COLOURS].seconds,
                 solve = of[SCREE_STAGE_SOLVE].seconds + of[SCREE_STAGE_POSITIONS].seconds;
    fprintf(
        out,
        "  time          %.3g ms per step: bounds, pairs and detection %.0f %%, contacts %.0f %%, rows and "
        "colours %.0f %%, solve and positions %.0f %%, the rest %.0f %%\n",
        1e3 * total / timed, percent * pairs, percent * contacts, percent * problem, percent * solve,
        percent * (total - pairs - contacts - problem - solve));
}

static void report_bulk(const scree_world *world, FILE *out) {
    static const char *const reasons[] = {
        "", "no body can move", "along an axis, the middle 70 % of the centres span less than two diameters",
        "parts of the pile are empty"};
    _Static_assert(sizeof reasons / sizeof *reasons == SCREE_BULK_STATUS_COUNT,
                   "every status of a bulk has a text");
    scree_bulk bulk;
    if (scree_world_get_bulk(world, &bulk) != SCREE_OK) return;
    if (bulk.status != SCREE_BULK_FOUND)
        fprintf(out, "  solid         no solid fraction: %s\n", reasons[bulk.status]);
    else
        fprintf(out, "  solid         %.4f of the bulk, x %.3g … %.3g, y %.3g … %.3g, z %.3g … %.3g m\n",
                bulk.solid_fraction, bulk.lower[0], bulk.upper[0], bulk.lower[1], bulk.upper[1],
                bulk.lower[2], bulk.upper[2]);
}

/* Reports the outflow after the first step with outflow, per time since then, so that neither the time before
 * nor the amount in that step matters. */
static void report_outflow(const run_summary *self, FILE *out) {
    const double time = self->out_last.time - self->out_first.time;
    if (!(time > 0)) return;
    fprintf(out, "                at %.4g grains/s and %.4g kg/s from %.4g s to %.4g s\n",
            (double)(self->out_last.grains - self->out_first.grains) / time,
            (self->out_last.mass - self->out_first.mass) / time, self->out_first.time, self->out_last.time);
}

/* Reports inserted and removed grains and broken joints; omits zero counts. */
static void report_events(const run_summary *self, FILE *out) {
    const scree_statistics *s = &self->last;
    if (self->inserted || s->inserted_total || self->waited) {
        fprintf(out, "  inlets        %llu %s inserted, %llu (%.4g kg) since the beginning",
                (unsigned long long)self->inserted, noun_of((long long)self->inserted, "grain", "grains"),
                (unsigned long long)s->inserted_total, s->inserted_mass);
        if (self->waited)
            fprintf(out, "; in %llu %s a grain that was due found no free place",
                    (unsigned long long)self->waited, noun_of((long long)self->waited, "step", "steps"));
        fputc('\n', out);
    }
    if (self->removed || s->removed_total)
        fprintf(out, "  outlets       %llu %s removed, %llu (%.4g kg) since the beginning\n",
                (unsigned long long)self->removed, noun_of((long long)self->removed, "grain", "grains"),
                (unsigned long long)s->removed_total, s->removed_mass);
    report_outflow(self, out);
    if (self->broken)
        fprintf(out, "  broken        %llu %s\n", (unsigned long long)self->broken,
                noun_of((long long)self->broken, "joint", "joints"));
}

/* Reports the errors of the solves; a run without contacts has none. */
static void report_errors(const run_summary *self, FILE *out) {
    const scree_statistics *s = &self->last;
    const double solves = (double)self->solves;
    if (!self->solves) return;
    fprintf(out,
            "  residual      %.2e at the end, %.2e on average, at most %.2e (step %llu); scaled natural map, "
            "0 is exact\n",
            s->solve.residual, self->residual.sum / solves, self->residual.most,
            (unsigned long long)self->residual.step);
    fprintf(out,
            "  violation     %.2g at the end, %.2g on average, at most %.2g (step %llu); largest violation "
            "of a contact law, relative to the largest without impulses\n",
            s->solve.violation, self->violation.sum / solves, self->violation.most,
            (unsigned long long)self->violation.step);
}

void run_summary_report(const run_summary *self, const scree_world *world, double wall, FILE *out) {
    const scree_world_def def = scree_world_get_def(world);
    const scree_statistics *s = &self->last;
    const double solves = (double)(self->solves ? self->solves : 1);
    double size, mass;
    char took[32];
    measure_bodies(world, &size, &mass);
    fprintf(out, "  steps         %llu in %.3g s of wall time, to step %llu, %.4g s of simulated time\n",
            (unsigned long long)self->steps, wall, (unsigned long long)s->step, s->time);
    fprintf(out, "  bodies        %d, %d of them dynamic, %.4g kg\n", s->bodies, s->dynamic_bodies, mass);
    fprintf(out, "  solver        %s, %s, %s on %s; %.1f iterations per solve, the last stopped by %s\n",
            def.backend == SCREE_BACKEND_REFERENCE ? "sweeps" : scree_method_name(def.solver.method),
            scree_law_name(def.solver.law), scree_stabilisation_name(def.solver.stabilisation),
            scree_world_get_device_name(world), (double)self->iterations / solves,
            scree_stop_name(s->solve.stop));
    report_errors(self, out);
    unsolved_steps_report(&self->unsolved, out);
    const double percent = size > 0 ? 100 / size : 0;
    fprintf(out,
            "  penetration   mean %.3g mm (%.2g %% of the mean half width), largest %.3g mm (%.2g %%) at the "
            "end; at most %.3g mm (step %llu)\n",
            1e3 * s->penetration_mean, percent * s->penetration_mean, 1e3 * s->penetration_max,
            percent * s->penetration_max, 1e3 * self->penetration.most,
            (unsigned long long)self->penetration.step);
    if (s->joints)
        fprintf(out,
                "  joints        apart by %.3g mm and %.3g rad at the end; at most %.3g mm (step %llu), %.2g "
                "%% of the mean half width, and %.3g rad (step %llu)\n",
                1e3 * s->joint_error_max, s->joint_angle_error_max, 1e3 * self->joint_error.most,
                (unsigned long long)self->joint_error.step, percent * self->joint_error.most,
                self->joint_angle_error.most, (unsigned long long)self->joint_angle_error.step);
    report_bulk(world, out);
    const char *flow =
        self->inserted || self->removed ? ", including that of inserted and removed grains" : "";
    fprintf(out,
            "  energy        kinetic %.3g J (%.2g J/kg), potential %.4g J; together %+.3g J since step "
            "%llu%s\n",
            s->kinetic_energy, mass > 0 ? s->kinetic_energy / mass : 0, s->potential_energy,
            s->kinetic_energy + s->potential_energy - self->first_energy,
            (unsigned long long)self->energy_step, flow);
    fprintf(out, "  contacts      %d %s, %d %s; %d %s, %d %s uncoloured, %d warm-started\n", s->contacts,
            noun_of(s->contacts, "point", "points"), s->touching,
            noun_of(s->touching, "pair touches", "pairs touch"), s->colours,
            noun_of(s->colours, "colour", "colours"), s->remainder, noun_of(s->remainder, "point", "points"),
            s->cache_hits);
    fprintf(out,
            "  travel        at most %.3g of a body's half size in a step (step %llu); %llu %s found by "
            "detection passes\n",
            self->travel.most, (unsigned long long)self->travel.step, (unsigned long long)self->late,
            noun_of((long long)self->late, "contact", "contacts"));
    if (self->verified)
        fprintf(out,
                "  verified      %d %s in %s: velocities differ from reference by at most %.2e m/s, whose "
                "residual is at most %.1e;\n",
                self->verified, noun_of(self->verified, "step", "steps"),
                duration_text(self->verified_seconds, took), self->verify_difference, self->verify_residual);
    if (self->compared)
        fprintf(out, "                from the other backend by at most %.2e m/s\n",
                self->verify_backend_difference);
    else if (self->verified)
        fprintf(out, "                no OpenCL device to compare with\n");
    report_events(self, out);
    report_stages(self, out);
}
