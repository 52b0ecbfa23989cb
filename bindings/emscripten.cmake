# The WebAssembly build: its flags, and the modules that the page loads.

# Set for a module with threads to which the page gives the memory that they share and the script that they run.
set(threads_from_page $<BOOL:$<TARGET_PROPERTY:THREADS_FROM_PAGE>>)

target_compile_options(unroll_flags INTERFACE -Oz -flto -msimd128 -fwasm-exceptions
  -fno-rtti -DEMSCRIPTEN_HAS_UNBOUND_TYPE_NAMES=0  # nobody asks for the name of a type
  # calls of virtual functions become direct where there is one to call, and what nobody calls is dropped
  -fvisibility=hidden -fwhole-program-vtables -fvirtual-function-elimination
  -ffile-prefix-map=${EMSCRIPTEN_SYSROOT}/include/=)
target_link_options(unroll_flags INTERFACE
  -O3 -flto -fno-rtti -fwasm-exceptions --no-entry
  -sMODULARIZE -sEXPORT_ES6 -sENVIRONMENT=web,worker$<$<BOOL:$<TARGET_PROPERTY:RUNS_IN_NODE>>:$<COMMA>node>
  -sALLOW_MEMORY_GROWTH -sINITIAL_MEMORY=32MB -sMAXIMUM_MEMORY=1GB
  -sMALLOC=emmalloc       # smaller; the pool of the engine keeps its tensors
  -sSTACK_SIZE=1MB        # Eigen may put 128 KB on the stack; Emscripten's default is 64 KB
  -sDYNAMIC_EXECUTION=0   # the page's Content-Security-Policy forbids new Function
  -sBINARYEN_EXTRA_PASSES=--one-caller-inline-max-function-size=0  # keeps noinline kernels from being inlined
  --emit-symbol-map       # function names for tests/bindings/simd.test.ts; the page does not load it
  -sWASM_BIGINT -sSTRICT -sFILESYSTEM=0
  -sINCOMING_MODULE_JS_API=wasmBinary,locateFile$<${threads_from_page}:$<COMMA>wasmMemory$<COMMA>mainScriptUrlOrBlob>)

# Modules with threads: with shared memory, and a worker for each.
add_library(unroll_thread_flags INTERFACE)
target_link_libraries(unroll_thread_flags INTERFACE unroll_flags)
target_compile_options(unroll_thread_flags INTERFACE -pthread)
target_link_options(unroll_thread_flags INTERFACE
  -pthread -Wno-pthreads-mem-growth -sDEFAULT_PTHREAD_STACK_SIZE=256KB
  $<${threads_from_page}:-sUSE_ES6_IMPORT_META=0>)  # Emscripten 3.1.69 ignores the page's script otherwise

# The page loads the engine first, so it is compiled for size, except for the code that runs once per value. The other
# operations (binary, reductions, indexing …) are not worth it: 1 to 2 KB of the first lesson each, compressed, for 0 to
# 6 % of a training step.
file(GLOB_RECURSE hot_sources CONFIGURE_DEPENDS engine/*.cpp)
list(FILTER hot_sources INCLUDE REGEX "gemm|elementwise|functions|fused|arithmetic")
list(FILTER hot_sources EXCLUDE REGEX "(ops/fused|nn)/fused.cpp|program/arithmetic.cpp")  # only choose
set_source_files_properties(${hot_sources} PROPERTIES COMPILE_OPTIONS -O3)

# The linker calls the only implementation of a virtual function directly, and does so before it finds out what a module
# without programs never reaches. The learner's functions, which are std::functions, would stay in every module.
set_source_files_properties(engine/models/program/learner_parts.cpp PROPERTIES
  COMPILE_OPTIONS "-Xclang;-flto-visibility-public-std")

# The page is only built from the sources the engine was compiled from: it shows their text.
execute_process(COMMAND node ${CMAKE_SOURCE_DIR}/web/plugin/source-hash.mjs
  OUTPUT_VARIABLE UNROLL_SOURCE_HASH OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE hashed_sources CONFIGURE_DEPENDS engine/*.cpp engine/*.h engine/*.py)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${hashed_sources})

# add_wasm_module(NAME LIBRARIES SOURCE…): a module with Session and the binding table; LIBRARIES is the suffix of its
# libraries. Without a source, it has all models.
function(add_wasm_module name libraries)
  add_executable(${name} $<TARGET_OBJECTS:unroll_embind${libraries}> ${ARGN})
  target_link_libraries(${name} PRIVATE unroll_session_class${libraries})
  set_target_properties(${name} PROPERTIES SUFFIX .mjs LINKER_LANGUAGE CXX)
  if(libraries STREQUAL _threads)
    set_target_properties(${name} PROPERTIES THREADS_FROM_PAGE ON)
  endif()
  target_link_options(${name} PRIVATE -lembind -sEMBIND_AOT=1)
endfunction()

# add_page_module(NAME KIND… [THREADS] [WITHOUT PROGRAMS TASKS LINALG INTERVENTIONS]): the module engine_NAME, which has only what list_models
# lists; with THREADS also engine_NAME_threads.
function(add_page_module name)
  cmake_parse_arguments(PARSE_ARGV 1 module THREADS "" "")
  set(list ${CMAKE_BINARY_DIR}/models_of_${name}.cpp)
  list_models(${list} ${module_UNPARSED_ARGUMENTS})
  add_wasm_module(engine_${name} "" ${list})
  add_dependencies(page_modules engine_${name})
  if(module_THREADS)
    add_wasm_module(engine_${name}_threads _threads ${list})
    add_dependencies(page_modules engine_${name}_threads)
  endif()
endfunction()

function(add_binding_table libraries flags)
  add_library(unroll_embind${libraries} OBJECT bindings/embind.cpp bindings/convert.cpp)
  target_link_libraries(unroll_embind${libraries} PRIVATE ${flags})
  target_compile_definitions(unroll_embind${libraries} PRIVATE UNROLL_SOURCE_HASH="${UNROLL_SOURCE_HASH}")
endfunction()

# The modules the page loads: each has some of the models, as no page needs them all (see engine/models/kinds.json).
# `engine` has everything, for tests and tools in Node.
function(add_wasm_modules)
  add_binding_table("" unroll_flags)
  add_binding_table(_threads unroll_thread_flags)
  add_wasm_module(engine "")

  add_custom_target(page_modules)
  # These learn no task; the first lesson needs softmax alone.
  add_page_module(softmax ${kinds_of_softmax} WITHOUT PROGRAMS TASKS LINALG INTERVENTIONS)
  add_page_module(core ${kinds_of_core} WITHOUT PROGRAMS TASKS)
  foreach(module transformer captioner seq2seq)
    add_page_module(${module} ${kinds_of_${module}} THREADS WITHOUT PROGRAMS)
  endforeach()
  add_page_module(program ${kinds_of_program} THREADS)
  # Models of which a part can be the learner's.
  add_page_module(parts ${kinds_with_parts} THREADS)
endfunction()
