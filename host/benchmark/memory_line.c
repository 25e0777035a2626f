#include "memory_line.h"

#include "base/error.h"

/* Several worlds run with fewer threads one after the other. */
static scree_result refuse(scree_result code, double needed, double there, const char *where, int worlds,
                           const scree_memory_estimate *of) {
    char several[48] = "";
    if (worlds > 1) snprintf(several, sizeof several, "%d worlds at once, each of ", worlds);
    return fail(code,
                "memory: %s%d bodies with %.0f contacts need about %.3g GB %s, which has %.3g GB; use fewer "
                "%s%s",
                several, of->bodies, of->contacts, 1e-9 * needed, where, 1e-9 * there,
                worlds > 1 ? "bodies or threads" : "bodies",
                code == SCREE_ERROR_DEVICE_MEMORY ? " or the backend native" : "");
}

scree_result memory_tell(scree_world *world, int worlds, FILE *out) {
    scree_memory_estimate of;
    const scree_result result = scree_world_estimate_memory(world, &of);
    if (result != SCREE_OK) return result;
    if (out) {
        fprintf(out, "  memory        about %.3g GB for %.0f contacts (%.0f bytes a body, %.0f a contact)",
                1e-9 * of.host, of.contacts, of.host_body, of.host_contact);
        if (of.device > 0)
            fprintf(out, "; on the device %.3g of %.3g GB (%.0f, %.0f)", 1e-9 * of.device,
                    1e-9 * of.device_memory, of.device_body, of.device_contact);
        fprintf(out, "\n");
        fflush(out);
    }
    if (worlds * of.device > of.device_memory)
        return refuse(SCREE_ERROR_DEVICE_MEMORY, worlds * of.device, of.device_memory, "on the device",
                      worlds, &of);
    if (worlds * of.host > of.host_memory)
        return refuse(SCREE_ERROR_MEMORY, worlds * of.host, of.host_memory, "on this machine", worlds, &of);
    return SCREE_OK;
}
