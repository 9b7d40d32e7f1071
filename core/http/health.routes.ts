import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../context.ts'
import { replicaState } from '../data/database/replica.ts'
import { named } from './schema.ts'

const described = (summary: string, operationId: string) => ({ tags: ['Description and health'], summary, operationId })
const Health = T.Object({ status: T.String(), version: T.String(), checks: T.Record(T.String(), T.String()) })
const Alive = named('Alive', T.Object({ status: T.Literal('ok'), version: T.String() }))
const Ready = named(
  'Ready',
  T.Object({
    status: T.Union([T.Literal('ready'), T.Literal('starting'), T.Literal('draining'), T.Literal('degraded')], {
      description: 'degraded: its database does not answer. draining: it was told to stop, and finishes what it has in hand',
    }),
  }),
)

/** Whether all is well, whether the process runs, and whether requests may be led to it. */
export const health = ({ sql, shared, readiness, mail }: Context, version: string) =>
  new Elysia({ name: 'health' })
    .get(
      '/health/check',
      async ({ set }) => {
        const [database, sharing] = await Promise.all([well(sql`select 1`), well(shared.check())])
        // Mails wait for their server, and nothing waits for them.
        const posting = mail.state()
        const status = database === 'ok' && sharing === 'ok' && posting !== 'unreachable' ? 'ok' : 'degraded'
        // Without what processes share each goes by its own memory; without the database nothing goes.
        if (database !== 'ok') set.status = 503
        // Without its replica all is read from the database itself.
        const replica = replicaState(sql)
        return { status, version, checks: { database, shared: sharing, ...(replica && { replica }), ...(posting && { mail: posting }) } }
      },
      { response: { 200: Health, 503: Health }, detail: described('Whether the server and its database are well', 'healthCheck') },
    )
    .get('/health/live', () => ({ status: 'ok' as const, version }), {
      response: Alive,
      detail: described('Whether the process runs: one that does not answer is to be started anew', 'healthLive'),
    })
    .get(
      '/health/ready',
      async ({ set }) => {
        const isReady = readiness.phase === 'ready'
        const status = isReady && (await well(sql`select 1`)) !== 'ok' ? ('degraded' as const) : readiness.phase
        if (status !== 'ready') set.status = 503
        return { status }
      },
      {
        response: { 200: Ready, 503: Ready },
        detail: described('Whether requests may be led to this process; 503 while it starts, stops, or has no database', 'healthReady'),
      },
    )

const CHECK_MS = 2_000

async function well(check: PromiseLike<unknown>): Promise<string> {
  const outcome = Promise.resolve(check).then(
    () => 'ok',
    () => 'unreachable',
  )
  return Promise.race([outcome, Bun.sleep(CHECK_MS).then(() => 'unreachable')])
}
