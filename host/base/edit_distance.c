#include "edit_distance.h"

#include <string.h>

static int smaller(int a, int b) { return a < b ? a : b; }

int edit_distance(const char *a, const char *b) {
    enum { WORD = EDIT_DISTANCE_WORD };
    const int rows = (int)strlen(a), columns = (int)strlen(b);
    int cost[WORD + 1][WORD + 1];
    if (rows > WORD || columns > WORD) return WORD;
    for (int i = 0; i <= rows; i++) cost[i][0] = i;
    for (int j = 0; j <= columns; j++) cost[0][j] = j;
    for (int i = 1; i <= rows; i++)
        for (int j = 1; j <= columns; j++) {
            const int change = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            cost[i][j] = smaller(change, 1 + smaller(cost[i - 1][j], cost[i][j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                cost[i][j] = smaller(cost[i][j], cost[i - 2][j - 2] + 1);
        }
    return cost[rows][columns];
}
