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
  suspend(): void
  /** Resumes the process (SIGCONT). */
  resume(): void
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
  onMessage(message: ProcessMessage, bytes: Uint8Array): void
  /** Called once when no more messages follow; at once when the process is killed. */
  onEnd(reason: string): void
  /** Called with the beginning of what the process writes to its error output. */
  onStderr(text: string): void
}

/** Starts a process and connects its pipes. */
export function openPipes({ command, environment, folder }: ProcessLaunch, listener: PipeListener): ProcessPipes {
  const pipe = { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' } as const
  // Detached from the terminal, so that Ctrl-C reaches only the server, which lets calls finish.
  const child = Bun.spawn([...command], { cwd: folder, env: { ...environment }, ...pipe, detached: true })
  // If memory runs out, the kernel kills this process first.
  void writeFile(`/proc/${child.pid}/oom_score_adj`, '1000').catch(() => {})
  return new ChildPipes(child, listener)
}

type Child = Bun.Subprocess<'pipe', 'pipe', 'pipe'>

class ChildPipes implements ProcessPipes {
  readonly #child: Child
  readonly #listener: PipeListener
  readonly #meter = rateMeter()
  readonly ended: Promise<string>
  #cause: string | undefined
  /** Bytes that were sent and that the process has not read. */
  #aheadBytes = 0

  constructor(child: Child, listener: PipeListener) {
    this.#child = child
    this.#listener = listener
    this.ended = child.exited.then((status) => {
      const reason = `it ended by itself (${child.signalCode ?? status})`
      this.#end(reason)
      return this.#cause ?? reason
    })
    void this.#readOutput().catch((error) => this.kill(error instanceof Error ? error.message : 'its output cannot be read'))
    void this.#readErrors().catch(() => {})
  }

  get pid() {
    return this.#child.pid
  }

  cause() {
    return this.#cause
  }

  kill(reason: string) {
    this.#end(reason)
    this.#child.kill('SIGKILL')
  }

  suspend() {
    this.#child.kill('SIGSTOP')
  }

  resume() {
    this.#child.kill('SIGCONT')
  }

  send(message: HostMessage, bytes?: Uint8Array) {
    if (this.#cause !== undefined) return
    const framed = encodeFrame(message, bytes)
    this.#aheadBytes += framed.length
    if (this.#aheadBytes > SEND_AHEAD_BYTES) return this.kill('it does not read what it is sent')
    void this.#write(framed).catch(() => {})
  }

  async #write(framed: Uint8Array) {
    this.#child.stdin.write(framed)
    await this.#child.stdin.flush()
    this.#aheadBytes -= framed.length
  }

  #end(reason: string) {
    if (this.#cause !== undefined) return
    this.#cause = reason
    this.#listener.onEnd(reason)
  }

  async #readOutput() {
    const read = frameReader((message, bytes, jsonBytes) => this.#handle(message, bytes, jsonBytes), MESSAGE_JSON_BYTES_MAX)
    for await (const chunk of this.#child.stdout) {
      if (this.#cause !== undefined) continue
      this.#meter.chunk(chunk.length)
      read(chunk)
    }
  }

  #handle(message: unknown, bytes: Uint8Array, jsonBytes: number) {
    if (this.#cause !== undefined) return
    this.#meter.message(jsonBytes)
    const schema = messageSchemaOf((message as { type?: unknown } | null)?.type)
    if (!schema || !Value.Check(schema, message)) return this.kill('it sent something that is no message')
    this.#listener.onMessage(message as ProcessMessage, bytes)
  }

  async #readErrors() {
    let bytes = 0
    for await (const chunk of this.#child.stderr) {
      if (bytes === 0) this.#listener.onStderr(new TextDecoder().decode(chunk.subarray(0, STDERR_SHOWN_BYTES)))
      bytes += chunk.length
      if (bytes > STDERR_BYTES) this.kill('it writes too much to its error output')
    }
  }
}
