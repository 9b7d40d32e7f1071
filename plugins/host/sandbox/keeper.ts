/** Kills whatever is left of this server's adapters when the server is gone, however it went. */
export interface Keeper {
  add(pid: number): void
  remove(pid: number): void
  close(): void
}

/**
 * A process ends by itself when its input does, unless it works without a pause; and nobody asks it to when the server was killed. So a
 * shell of a megabyte reads the numbers of the living from a pipe, and kills them when that pipe ends.
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

export function startKeeper(): Keeper {
  const shell = Bun.spawn(['/bin/sh', '-c', SCRIPT], {
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
    env: {},
    cwd: '/',
    detached: true,
  })
  shell.unref()
  const tell = (sign: '+' | '-', pid: number) => {
    shell.stdin.write(`${sign} ${pid}\n`)
    void Promise.resolve(shell.stdin.flush()).catch(() => {})
  }
  return {
    add: (pid) => tell('+', pid),
    remove: (pid) => tell('-', pid),
    close: () => void shell.stdin.end(),
  }
}
