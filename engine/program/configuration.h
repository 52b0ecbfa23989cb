// A small configuration for a model whose __init__ takes one, made of the fields that its file reads from it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/program/file_names.h"
#include "engine/program/sizes.h"

namespace unroll::program {

// The value for the parameter (config, args, cfg) of this class, after lines that make it: a call of the file's own
// class of configurations, a dictionary, or an instance whose attributes are set. Nothing if the file reads no field of
// a parameter of that name.
std::optional<std::string> configuration_for(const FileNames& names, const ClassDefinition& model,
                                             const std::string& parameter, Side side, std::vector<std::string>& lines);

}  // namespace unroll::program
