import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { Data } from '../../http/schema.ts'
import { hasUsers } from '../../identity/auth/auth.queries.ts'
import { shareRunning } from '../../lib/async/memoize.ts'

const ConsoleSetup = T.Object({
  hasUsers: T.Boolean({ description: 'false on a new server: the console then offers to create the first account' }),
  providers: T.Array(T.Object({ slug: T.String(), label: T.String() }), { description: 'social providers that people can sign in with' }),
})

/** Route that tells the sign-in page what it can offer. It needs no credential and tells nothing of anybody. */
export function consoleSetup(context: Context) {
  const app = new Elysia({ name: 'console-setup' })
  if (!context.config.console) return app
  // Anybody may ask, so that many who ask at once must cost as much as one.
  const isSetUp = shareRunning(() => hasUsers(context.sql))
  return app.use(context.auth).get(
    '/console/setup',
    async () => {
      const [known, providers] = await Promise.all([isSetUp(), context.listSocialProviders()])
      return { data: { hasUsers: known, providers: [...providers] } }
    },
    { open: true, response: Data(ConsoleSetup), detail: { hide: true } },
  )
}
