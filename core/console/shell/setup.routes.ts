import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { serverAddressFor } from '../../http/address/server-address.ts'
import { readAdminCookie } from '../../http/auth/console-cookie.ts'
import { Data } from '../../http/schema.ts'
import { hasUsers } from '../../identity/auth/auth.queries.ts'
import { shareRunning } from '../../lib/async/memoize.ts'

const ConsoleSetup = T.Object({
  isActing: T.Boolean({ description: 'true while the own session of an administrator who acts as a user is kept in this browser' }),
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
    async ({ request, set }) => {
      set.headers['cache-control'] = 'no-store'
      const isActing = readAdminCookie(request, serverAddressFor(context, request)) !== null
      const [known, providers] = await Promise.all([isSetUp(), context.listSocialProviders()])
      return { data: { isActing, hasUsers: known, providers: [...providers] } }
    },
    { open: true, response: Data(ConsoleSetup), detail: { hide: true } },
  )
}
