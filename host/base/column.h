/* Values of the columns of scree/columns.h. */
#pragma once

#include <scree/columns.h>

static inline const void *column_at(scree_strided_column column, int i) {
    return (const char *)column.base + column.stride * (size_t)i;
}
static inline scree_vec3 column_vec3(scree_strided_column column, int i) {
    const float *at = column_at(column, i);
    return (scree_vec3){at[0], at[1], at[2]};
}
static inline scree_quat column_quat(scree_strided_column column, int i) {
    const float *at = column_at(column, i);
    return (scree_quat){at[0], at[1], at[2], at[3]};
}
static inline float column_float(scree_strided_column column, int i) {
    return *(const float *)column_at(column, i);
}
static inline int column_int(scree_strided_column column, int i) {
    return *(const int *)column_at(column, i);
}
