/** @file
 * Everything of scree's second library: scenes, files, measurements and pictures. */
#ifndef SCREE_TOOLS_TOOLS_H
#define SCREE_TOOLS_TOOLS_H

#include <scree/tools/checkpoint.h>
#include <scree/tools/fclib.h>
#include <scree/tools/frame.h>
#include <scree/tools/geometry_file.h>
#include <scree/tools/grains.h>
#include <scree/tools/measurement.h>
#include <scree/tools/plot.h>
#include <scree/tools/scene.h>
#include <scree/tools/snapshot.h>
#include <scree/tools/statistics_file.h>

#endif
