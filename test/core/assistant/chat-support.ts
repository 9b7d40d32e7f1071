import { afterAll } from 'bun:test'
import { modelSource } from '../../../core/assistant/chat/generation/source.ts'
import type { Tx } from '../../../core/data/sql.ts'
import { type Shop, startApp, type TestApp } from '../../support/app.ts'

/** Joins the store to models that need no account. */
export const connectModels = (app: Pick<TestApp, 'ok'>, shop: Shop, settings: object = {}) =>
  app.ok('PUT', `/v1/stores/${shop.storeId}/integrations/sandbox-model`, {
    as: shop.owner.token,
    body: { enabled: true, credentials: {}, settings },
  })

const original = { ...modelSource }

/** Gives the chat its own models back after a file that replaced them: other files run in the same process. */
export const restoreModelsAfterwards = () => afterAll(() => void Object.assign(modelSource, original))

/** A server with a shop that has models; its owner is no administrator of the platform. */
export async function startChat() {
  restoreModelsAfterwards()
  const app = await startApp()
  await app.person('The administrator')
  const main = await app.shop()
  await connectModels(app, main)
  return { ...app, sql: app.context.sql, main, as: main.owner.token }
}

export interface Event {
  readonly id: number | undefined
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads shapes that it then asserts
  readonly data: any
}

/** The events of a stream, as they come. */
export async function* eventsIn(answer: Response): AsyncGenerator<Event> {
  if (!answer.body) return
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of answer.body) {
    rest += decoder.decode(bytes, { stream: true })
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      const lines = rest.slice(0, end).split('\n')
      rest = rest.slice(end + 2)
      const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
      const id = field('id')
      const event = field('event')
      if (event) yield { id: id === undefined ? undefined : Number(id), event, data: JSON.parse(field('data') ?? 'null') }
    }
  }
}

/** How many wait for a lock that this transaction has. */
export const blockedBy = async (tx: Tx): Promise<number> => {
  const [{ count } = { count: 0 }] = await tx<{ count: number }[]>`select count(*)::int as count from pg_stat_activity
    where pg_backend_pid() = any (pg_blocking_pids(pid))`
  return count
}
