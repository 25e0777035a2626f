/** @file
 * The whole public interface of scree, a contact solver for large piles of rigid bodies. */
#ifndef SCREE_H
#define SCREE_H

#include <scree/assembly.h>
#include <scree/checkpoint.h>
#include <scree/flow.h>
#include <scree/frame.h>
#include <scree/gauge.h>
#include <scree/grains.h>
#include <scree/height_field.h>
#include <scree/joint.h>
#include <scree/measurements.h>
#include <scree/problem.h>
#include <scree/query.h>
#include <scree/scene.h>
#include <scree/snapshot.h>
#include <scree/world.h>

#endif
