#include "gl_program.h"

/* The formulas of light and background are those of kernels/ray.h. Colours of instances have the display's
 * gamma; programs compute in linear light. */
static const char common[] =
    "#version 330 core\n"
    "layout(std140) uniform scene {\n"
    "    mat4 view, projection;\n"
    "    vec4 eye, forward, light, clip, chosen, ground;\n"
    "};\n"
    "vec3 background(vec3 direction) {\n"
    "    return mix(vec3(0.86, 0.88, 0.90), vec3(0.50, 0.60, 0.72), min(abs(direction.z) * 2.0, 1.0));\n"
    "}\n"
    "float fading(float x) { float f = 1.0 / (1.0 + x * x); return f * f; }\n"
    "vec3 shaded(vec3 colour, vec3 normal, vec3 direction, float gloss) {\n"
    "    float lamp = max(-dot(normal, direction), 0.0);\n"
    "    float ambient = 0.20 + 0.12 * normal.z + 0.30 * lamp;\n"
    "    float facing = max(dot(normal, light.xyz), 0.0);\n"
    "    float shine = max(dot(normal, normalize(light.xyz - direction)), 0.0);\n"
    "    for (int i = 0; i < 5; ++i) shine *= shine;\n"
    "    return colour * (ambient + 0.72 * facing) + vec3(gloss * shine);\n"
    "}\n"
    "vec4 displayed(vec3 linear) { return vec4(sqrt(clamp(linear, 0.0, 1.0)), 1.0); }\n"
    /* A marked body has a bright rim. */
    "vec4 body_light(vec3 colour, vec3 normal, vec3 direction, float gloss, float body) {\n"
    "    vec3 seen = shaded(colour * colour, normal, direction, gloss);\n"
    "    if (chosen.x > 0.0 && body == chosen.x)\n"
    "        seen = mix(vec3(1.0, 0.2, 0.9), seen, smoothstep(0.15, 0.55, -dot(normal, direction)));\n"
    "    return displayed(mix(seen, background(direction), chosen.y));\n"
    "}\n"
    "float depth_at(vec3 place) {\n"
    "    float ahead = dot(place - eye.xyz, forward.xyz);\n"
    "    return 0.5 + 0.5 * (-projection[2][2] * ahead + projection[3][2]) / ahead;\n"
    "}\n";

static scree_result compile(const char *name, GLenum kind, const char *text, GLuint *out) {
    const GLuint shader = glCreateShader(kind);
    const char *const texts[] = {common, text};
    glShaderSource(shader, 2, texts, NULL);
    glCompileShader(shader);
    GLint done;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
    *out = shader;
    if (done) return SCREE_OK;
    char log[1024] = "";
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    return fail(SCREE_ERROR_DEVICE, "OpenGL does not compile the shader %s: %s", name, log);
}

static scree_result link(const char *name, GLuint program) {
    GLint done;
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &done);
    if (!done) {
        char log[1024] = "";
        glGetProgramInfoLog(program, sizeof log, NULL, log);
        return fail(SCREE_ERROR_DEVICE, "OpenGL does not link the program %s: %s", name, log);
    }
    const GLuint block = glGetUniformBlockIndex(program, "scene");
    if (block != GL_INVALID_INDEX) glUniformBlockBinding(program, block, 0);
    return SCREE_OK;
}

scree_result gl_program_make(const char *name, const char *vertex, const char *fragment, GLuint *out) {
    GLuint shaders[2] = {0, 0};
    const GLuint program = glCreateProgram();
    scree_result result = compile(name, GL_VERTEX_SHADER, vertex, &shaders[0]);
    if (result == SCREE_OK) result = compile(name, GL_FRAGMENT_SHADER, fragment, &shaders[1]);
    for (int k = 0; result == SCREE_OK && k < 2; k++) glAttachShader(program, shaders[k]);
    if (result == SCREE_OK) result = link(name, program);
    for (int k = 0; k < 2; k++) glDeleteShader(shaders[k]);
    if (result != SCREE_OK) glDeleteProgram(program);
    *out = result == SCREE_OK ? program : 0;
    return result;
}
