import { join } from 'node:path'

export interface Pinger {
  /** How long others waited while `work` was done, in milliseconds. */
  during<V>(work: () => Promise<V>): Promise<{ answer: V; waits: number[]; longest: number }>
  stop(): Promise<void>
}

/** Somebody else who asks meanwhile, more often than anybody is held up for. */
export async function startPinger(url: string, everyMs = 10): Promise<Pinger> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'pinger-program.ts'), url, String(everyMs)], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const lines = linesOf(child.stdout)
  const waits = async () => {
    child.stdin.write('\n')
    await child.stdin.flush()
    return JSON.parse((await lines.next()).value!) as number[]
  }
  await waits()
  return {
    async during(work) {
      await Bun.sleep(everyMs)
      await waits()
      const answer = await work()
      await Bun.sleep(100)
      const heard = await waits()
      return { answer, waits: heard, longest: Math.max(0, ...heard) }
    },
    async stop() {
      child.stdin.end()
      await child.exited
    },
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop()!
    yield* lines
  }
}
