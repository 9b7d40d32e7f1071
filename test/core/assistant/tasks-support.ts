import type { TestApp } from '../../support/app.ts'
import { until } from '../../support/until.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads shapes that it then asserts
type Body = any

/** What calls a server: one in this process, or one that can be killed. */
export type Ok = (
  method: string,
  path: string,
  options?: { as?: string; body?: unknown; headers?: Record<string, string> },
) => Promise<Body>

export const WRITER = 'sandbox-model/writer'
export const says = (text: string, more: object = {}) => ({ type: 'text', messages: [{ role: 'user', text }], ...more })

/** The sandbox's models, for all projects. */
export const connectModels = (ok: Ok, admin: string, settings: object = {}) =>
  ok('PUT', '/v1/platform/integrations/sandbox-model', { as: admin, body: { enabled: true, credentials: {}, settings } })

/** A project that may have models work, with so much to spend. */
export async function rich(
  ok: Ok,
  admin: string,
  { owner, projectId }: { owner: { token: string }; projectId: string },
  amount: string | null,
) {
  await ok('PATCH', `/v1/projects/${projectId}`, { as: owner.token, body: { products: ['ai', 'webhooks', 'parcels'] } })
  if (amount === null) return
  const body = { amount, currency: 'USD', note: 'paid by transfer' }
  await ok('POST', `/v1/admins/projects/${projectId}/ai-credit`, { as: admin, body })
}

const OVER = ['completed', 'failed', 'cancelled', 'reconciliation_required']

/** Waits until all tasks are over, or wait for a person, and gives them. */
export async function ended(ok: Ok, as: string, ids: readonly string[], ms = 40_000): Promise<Body[]> {
  const read = async () => Promise.all(ids.map(async (id) => (await ok('GET', `/v1/ai/tasks/${id}`, { as })).data))
  await until(async () => {
    await Bun.sleep(100)
    return (await read()).every(({ state }) => OVER.includes(state))
  }, ms)
  return read()
}

/** What is wrong with the books: sums that do not agree, money held for what is over, what was settled twice or never. */
export const wrongIn = async (sql: TestApp['context']['sql']): Promise<object[]> => [
  ...(await sql<object[]>`
  select 'account' as what, a.project_id as id from ai_accounts a left join ai_entries e on e.project_id = a.project_id and e.currency = a.currency
    group by a.project_id, a.currency having a.available <> coalesce(sum(e.available), 0) or a.held <> coalesce(sum(e.held), 0)
  union all select 'sum', project_id from ai_entries group by project_id having sum(source + available + held + spent) <> 0
  union all select 'hold', t.id from ai_tasks t where (select coalesce(sum(held), 0) from ai_entries e where e.task_id = t.id)
    <> case when t.ended_at is null then t.hold else 0 end
  union all select 'charge', t.id from ai_tasks t where t.ended_at is not null
    and t.charged is distinct from (select sum(spent) from ai_entries e where e.task_id = t.id)`),
]
