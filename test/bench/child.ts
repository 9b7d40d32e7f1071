import { join } from 'node:path'

/** A process that answers one question at a time. */
export interface Child {
  ask<Answer>(question: unknown): Promise<Answer>
  stop(): Promise<void>
}

type Reply = { readonly answer: unknown } | { readonly failure: string }

/** Starts `test/bench/<file>` in a process of its own, so that what it costs is not counted with anything else. */
export function spawnChild(file: string, environment: Record<string, string> = {}): Child {
  let pending = Promise.withResolvers<unknown>()
  const child = Bun.spawn([process.execPath, join(import.meta.dir, file)], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
    ipc: (reply: Reply) => ('answer' in reply ? pending.resolve(reply.answer) : pending.reject(new Error(`${file}: ${reply.failure}`))),
  })
  return {
    ask<Answer>(question: unknown) {
      pending = Promise.withResolvers<unknown>()
      child.send(question)
      return Promise.race([pending.promise, diesOf(child, file)]) as Promise<Answer>
    },
    async stop() {
      child.kill()
      await child.exited
    },
  }
}

async function diesOf(child: Bun.Subprocess, file: string): Promise<never> {
  throw new Error(`${file} ended with ${await child.exited}.`)
}

/** The child's side: each question becomes an answer. */
export function answerWith<Question>(work: (question: Question) => Promise<unknown>) {
  process.on('message', (question) => {
    work(question as Question).then(
      (answer) => process.send!({ answer: answer ?? null }),
      (error) => process.send!({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    )
  })
  process.on('disconnect', () => process.exit(0))
}
