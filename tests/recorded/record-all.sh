#!/bin/sh
# Records all logs again. PYTHON is an interpreter of an environment with the requirements of all folders.
set -eu
cd "$(dirname "$0")"
PYTHON=${PYTHON:-python3}

record() {
    folder=$1 name=$2
    shift 2
    echo "$folder/$name.jsonl"
    (cd "$folder" && "$PYTHON" record.py "$@" 2>/dev/null >"$name.jsonl")
}

for mode in blocking streaming; do
    for fault in none rejects-late asks-again empty-handed fails; do
        record a2a "$mode-$fault" "$mode" "$fault"
    done
done
for mode in legacy modern spans; do
    for fault in none books-blindly books-anyway wrong-flight; do
        record mcp "$mode-$fault" "$mode" "$fault"
    done
done
for fault in none twice no-review wrong-verdict; do
    record autogen "$fault" "$fault"
done
for form in log spans; do
    for fault in none agrees-at-once never-drafts looks-twice; do
        record agentchat "$form-$fault" "$form" "$fault"
    done
done
for fault in none skips-writer writes-twice wrong-notes; do
    record langgraph "$fault" "$fault"
done
for fault in none pays-blindly pays-twice pays-too-much; do
    record openai-agents "$fault" "$fault"
done
