import { writeFile } from 'node:fs/promises'
import { Value } from '@sinclair/typebox/value'
import type { Launch } from './deno.ts'
import { frame, frameReader, SAID_BYTES_MAX } from './frames.ts'
import { openGauge } from './gauge.ts'
import { type FromProcess, schemaOf, type ToProcess } from './protocol.ts'

/** A process as its three pipes: checked messages come out, messages go in, and the first thing that is wrong kills it. */
export interface Pipes {
  readonly pid: number
  /** Throws a `RangeError` where the message is larger than may be passed on. */
  send(message: ToProcess, bytes?: Uint8Array): void
  /** Halts it where it stands, and lets it go on. */
  rest(): void
  wake(): void
  /** For a reason, of which the first is remembered. */
  kill(reason: string): void
  /** Why it was killed or ended; undefined while it lives. */
  cause(): string | undefined
  /** Resolves once it is gone. */
  readonly ended: Promise<string>
}

const SEND_AHEAD_BYTES = 64 * 1024 * 1024
const STDERR_BYTES = 1024 * 1024
const SAID_BYTES = 2000

export interface Listener {
  take(message: FromProcess, bytes: Uint8Array): void
  /** It will say nothing more. Called once, at once when it is killed. */
  over(reason: string): void
  /** The beginning of what it writes to its error output. */
  said(words: string): void
}

export function openPipes({ command, environment, folder }: Launch, { take, over, said }: Listener): Pipes {
  const pipe = { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' } as const
  // Detached: a Ctrl-C at the terminal is for the server, which lets calls finish.
  const child = Bun.spawn([...command], { cwd: folder, env: { ...environment }, ...pipe, detached: true })
  // When memory runs out, this one goes first.
  void writeFile(`/proc/${child.pid}/oom_score_adj`, '1000').catch(() => {})
  const gauge = openGauge()
  let cause: string | undefined
  let ahead = 0

  function end(reason: string) {
    if (cause !== undefined) return
    cause = reason
    over(reason)
  }

  function kill(reason: string) {
    end(reason)
    child.kill('SIGKILL')
  }

  const read = frameReader((message, bytes, jsonBytes) => {
    if (cause !== undefined) return
    gauge.message(jsonBytes)
    const schema = schemaOf((message as { type?: unknown } | null)?.type)
    if (!schema || !Value.Check(schema, message)) return kill('it said something that is no message')
    take(message as FromProcess, bytes)
  }, SAID_BYTES_MAX)

  void (async () => {
    try {
      for await (const chunk of child.stdout) {
        if (cause !== undefined) continue
        gauge.chunk(chunk.length)
        read(chunk)
      }
    } catch (error) {
      kill(error instanceof Error ? error.message : 'its output cannot be read')
    }
  })()
  void (async () => {
    let bytes = 0
    for await (const chunk of child.stderr) {
      if (bytes === 0) said(new TextDecoder().decode(chunk.subarray(0, SAID_BYTES)))
      bytes += chunk.length
      if (bytes > STDERR_BYTES) kill('it writes too much to its error output')
    }
  })().catch(() => {})

  return {
    pid: child.pid,
    kill,
    rest: () => child.kill('SIGSTOP'),
    wake: () => child.kill('SIGCONT'),
    cause: () => cause,
    send(message, bytes) {
      if (cause !== undefined) return
      const framed = frame(message, bytes)
      ahead += framed.length
      if (ahead > SEND_AHEAD_BYTES) return kill('it does not read what it is sent')
      void (async () => {
        child.stdin.write(framed)
        await child.stdin.flush()
        ahead -= framed.length
      })().catch(() => {})
    },
    ended: child.exited.then((status) => {
      end(`it ended by itself (${child.signalCode ?? status})`)
      return cause!
    }),
  }
}
