#include "memory_line.h"

#include "base/error.h"

/* Returns what to do if a device is too small; the pipeline `host` leaves less there. */
static const char *remedy(const scree_memory_estimate *of, int worlds) {
    const bool fits = worlds * of->device_by_host <= of->device_memory &&
                      worlds * of->host_by_host <= of->host_memory && of->device_by_host < of->device;
    return fits ? "use --pipeline host or the backend native" : "use fewer bodies or the backend native";
}

/* Several worlds run with fewer threads one after the other. */
static scree_result refuse(scree_result code, double needed, double there, const char *where, int worlds,
                           const scree_memory_estimate *of) {
    char several[48] = "";
    if (worlds > 1) snprintf(several, sizeof several, "%d worlds at once, each of ", worlds);
    return fail(code, "memory: %s%d bodies with %.0f contacts need about %.3g GB %s, which has %.3g GB; %s%s",
                several, of->bodies, of->contacts, 1e-9 * needed, where, 1e-9 * there,
                code == SCREE_ERROR_DEVICE_MEMORY ? remedy(of, worlds) : "use fewer bodies",
                worlds > 1 ? " or fewer threads" : "");
}

static void print_line(const scree_memory_estimate *of, int added, FILE *out) {
    fprintf(out, "  memory        about %.3g GB for %.0f contacts (%.0f bytes a body, %.0f a contact)",
            1e-9 * of->host, of->contacts, of->host_body, of->host_contact);
    if (of->device > 0)
        fprintf(out, "; on the device %.3g of %.3g GB (%.0f, %.0f)", 1e-9 * of->device,
                1e-9 * of->device_memory, of->device_body, of->device_contact);
    if (added > 0) fprintf(out, "; with %d grains that inlets add", added);
    fprintf(out, "\n");
    fflush(out);
}

/* Only present bodies are a reason to refuse, because outlets may remove grains as fast as inlets add them.
 */
scree_result memory_tell(scree_world *world, double seconds, int worlds, FILE *out) {
    scree_memory_estimate now, later;
    scree_result result = scree_world_estimate_memory(world, 0, &now);
    if (result == SCREE_OK) result = scree_world_estimate_memory(world, seconds, &later);
    if (result != SCREE_OK) return result;
    if (out) print_line(&later, later.bodies - now.bodies, out);
    if (worlds * now.device > now.device_memory)
        return refuse(SCREE_ERROR_DEVICE_MEMORY, worlds * now.device, now.device_memory, "on the device",
                      worlds, &now);
    if (worlds * now.host > now.host_memory)
        return refuse(SCREE_ERROR_MEMORY, worlds * now.host, now.host_memory, "on this machine", worlds,
                      &now);
    return SCREE_OK;
}
