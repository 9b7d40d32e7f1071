/** Kills the remaining adapter processes after this server ends, even if it was killed. */
export interface Reaper {
  add(pid: number): void
  remove(pid: number): void
  close(): void
}

/**
 * Shell script that reads process ids from a pipe and kills them when the pipe ends. An adapter's process ends with its input, unless it is
 * in a busy loop. If the server was killed, nothing else could end it.
 */
const SCRIPT = `
living=' '
while read -r sign pid; do
  case $sign in
    +) living="$living$pid " ;;
    -) living="\${living%% "$pid" *} \${living#* "$pid" }" ;;
  esac
done
[ -z "\${living# }" ] || kill -9 $living 2>/dev/null`

/** Starts the shell of the reaper, which needs about a megabyte. */
export function startReaper(): Reaper {
  const shell = Bun.spawn(['/bin/sh', '-c', SCRIPT], {
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
    env: {},
    cwd: '/',
    detached: true,
  })
  shell.unref()
  const send = (sign: '+' | '-', pid: number) => {
    shell.stdin.write(`${sign} ${pid}\n`)
    void Promise.resolve(shell.stdin.flush()).catch(() => {})
  }
  return {
    add: (pid) => send('+', pid),
    remove: (pid) => send('-', pid),
    close: () => void shell.stdin.end(),
  }
}
