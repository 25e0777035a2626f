# Sourced by test scripts: a temporary folder, removed at the end, and TAP output.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
number=0
failures=0

# check "name" command...: prints one line of TAP, with the command's output if it fails
check() {
    local name=$1
    shift
    number=$((number + 1))
    if "$@" >"$folder/log" 2>&1; then
        echo "ok $number - $name"
    else
        echo "not ok $number - $name"
        sed 's/^/# /' "$folder/log"
        failures=$((failures + 1))
    fi
}
