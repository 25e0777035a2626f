/** @file
 * The engine of scree, a contact solver for large piles of rigid bodies. Scenes, files and pictures are in
 * scree/tools/tools.h. */
#ifndef SCREE_H
#define SCREE_H

#include <scree/columns.h>
#include <scree/flow.h>
#include <scree/group.h>
#include <scree/image.h>
#include <scree/joint.h>
#include <scree/kinematic_group.h>
#include <scree/observer.h>
#include <scree/problem.h>
#include <scree/query.h>
#include <scree/state.h>
#include <scree/world.h>
#include <scree/world_snapshot.h>

#endif
