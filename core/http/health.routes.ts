import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../context.ts'
import { replicaState } from '../data/database/replica.ts'
import { shareRunning } from '../lib/async/memoize.ts'
import { tagOperations } from './route.ts'
import { named } from './schema.ts'

const described = tagOperations('Description and health')
const Health = T.Object({ status: T.String(), version: T.String(), checks: T.Record(T.String(), T.String()) })
const Alive = named('Alive', T.Object({ status: T.Literal('ok'), version: T.String() }))
const Ready = named(
  'Ready',
  T.Object({
    status: T.Union([T.Literal('ready'), T.Literal('starting'), T.Literal('draining'), T.Literal('degraded')]),
  }),
)

/** Builds the health routes: overall health, liveness and readiness. */
export function healthRoutes({ sql, shared, readiness, mail, orderChanges }: Context, version: string) {
  // Anybody may ask, so that many who ask at once must cost as much as one.
  const checkDatabase = shareRunning(() => checkState(sql`select 1`))
  const checkShared = shareRunning(() => checkState(shared.check()))
  const checkChanges = shareRunning(() => checkState(orderChanges.state()))
  return new Elysia({ name: 'health' })
    .get(
      '/health/check',
      async ({ set }) => {
        const [database, sharedState, changes] = await Promise.all([checkDatabase(), checkShared(), checkChanges()])
        // Mails wait for their server; nothing waits for them.
        const mailState = mail.state()
        const status = database === 'ok' && sharedState === 'ok' && mailState !== 'unreachable' && changes === 'ok' ? 'ok' : 'degraded'
        // Without shared state the processes use their own memory, so only the database makes the server unavailable.
        if (database !== 'ok') set.status = 503
        // Reports the replica without failing for it: reads fall back to the primary.
        const replica = replicaState(sql)
        return {
          status,
          version,
          checks: { database, shared: sharedState, changes, ...(replica && { replica }), ...(mailState && { mail: mailState }) },
        }
      },
      { response: { 200: Health, 503: Health }, detail: described('Check the server and its database', 'healthCheck') },
    )
    .get('/health/live', () => ({ status: 'ok' as const, version }), {
      response: Alive,
      detail: described('Check that the process runs; restart one that does not answer', 'healthLive'),
    })
    .get(
      '/health/ready',
      async ({ set }) => {
        const isReady = readiness.phase === 'ready'
        const status = isReady && (await checkDatabase()) !== 'ok' ? ('degraded' as const) : readiness.phase
        if (status !== 'ready') set.status = 503
        return { status }
      },
      {
        response: { 200: Ready, 503: Ready },
        detail: described('Check that the process accepts requests; 503 while it starts, stops, or has no database', 'healthReady'),
      },
    )
}

const CHECK_MS = 2_000

/** Returns the state that a check gives, `ok` if it gives none, or `unreachable` if it fails or takes longer than two seconds. */
async function checkState(check: PromiseLike<unknown>): Promise<string> {
  const outcome = Promise.resolve(check).then(
    (state) => (typeof state === 'string' ? state : 'ok'),
    () => 'unreachable',
  )
  return Promise.race([outcome, Bun.sleep(CHECK_MS).then(() => 'unreachable')])
}
