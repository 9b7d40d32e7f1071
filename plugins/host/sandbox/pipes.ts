import { writeFile } from 'node:fs/promises'
import { Value } from '@sinclair/typebox/value'
import type { ProcessLaunch } from './deno.ts'
import { encodeFrame, frameReader, MESSAGE_JSON_BYTES_MAX } from './frames.ts'
import { type HostMessage, messageSchemaOf, type ProcessMessage } from './protocol.ts'
import { rateMeter } from './rate-meter.ts'

/** Three pipes of a process. Outgoing messages are framed, incoming ones validated. The first violation kills the process. */
export interface ProcessPipes {
  readonly pid: number
  /** Sends a message. Throws a `RangeError` if it exceeds the limit of a frame. */
  send(message: HostMessage, bytes?: Uint8Array): void
  /** Suspends the process (SIGSTOP). */
  rest(): void
  /** Resumes the process (SIGCONT). */
  wake(): void
  /** Kills the process. The first reason given is recorded. */
  kill(reason: string): void
  /** Returns why it was killed or ended; undefined while it runs. */
  cause(): string | undefined
  /** Resolves with the reason once the process is gone. */
  readonly ended: Promise<string>
}

const SEND_AHEAD_BYTES = 64 * 1024 * 1024
const STDERR_BYTES = 1024 * 1024
const STDERR_SHOWN_BYTES = 2000

/** Receives the events of a process. */
export interface PipeListener {
  take(message: ProcessMessage, bytes: Uint8Array): void
  /** Called once when no more messages follow; at once when the process is killed. */
  over(reason: string): void
  /** Called with the beginning of what the process writes to its error output. */
  said(words: string): void
}

/** Starts a process and connects its pipes. */
export function openPipes(
  { command, environment, folder }: ProcessLaunch,
  { take: onMessage, over: onEnd, said: onStderr }: PipeListener,
): ProcessPipes {
  const pipe = { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' } as const
  // Detached from the terminal, so that Ctrl-C reaches only the server, which lets calls finish.
  const child = Bun.spawn([...command], { cwd: folder, env: { ...environment }, ...pipe, detached: true })
  // If memory runs out, the kernel kills this process first.
  void writeFile(`/proc/${child.pid}/oom_score_adj`, '1000').catch(() => {})
  const meter = rateMeter()
  let cause: string | undefined
  let ahead = 0

  function end(reason: string) {
    if (cause !== undefined) return
    cause = reason
    onEnd(reason)
  }

  function kill(reason: string) {
    end(reason)
    child.kill('SIGKILL')
  }

  const read = frameReader((message, bytes, jsonBytes) => {
    if (cause !== undefined) return
    meter.message(jsonBytes)
    const schema = messageSchemaOf((message as { type?: unknown } | null)?.type)
    if (!schema || !Value.Check(schema, message)) return kill('it sent something that is no message')
    onMessage(message as ProcessMessage, bytes)
  }, MESSAGE_JSON_BYTES_MAX)

  void (async () => {
    try {
      for await (const chunk of child.stdout) {
        if (cause !== undefined) continue
        meter.chunk(chunk.length)
        read(chunk)
      }
    } catch (error) {
      kill(error instanceof Error ? error.message : 'its output cannot be read')
    }
  })()
  void (async () => {
    let bytes = 0
    for await (const chunk of child.stderr) {
      if (bytes === 0) onStderr(new TextDecoder().decode(chunk.subarray(0, STDERR_SHOWN_BYTES)))
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
      const framed = encodeFrame(message, bytes)
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
