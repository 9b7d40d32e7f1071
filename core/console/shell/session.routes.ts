import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { serverAddressFor } from '../../http/address/server-address.ts'
import { adminCookie, assertFromConsole, consoleCookie, readAdminCookie } from '../../http/auth/console-cookie.ts'
import { Data } from '../../http/schema.ts'
import { clientOriginOf, sessionLifeMs } from '../../identity/auth/sign-in/create-session.ts'
import { relyingPartyOf } from '../../identity/passkeys/passkeys.ts'
import { signOutBoth } from '../../identity/users/act-as-user.ts'
import { openConsoleSession } from './open-session.ts'
import { ConsoleSession, ConsoleSignIn } from './session.model.ts'

/** Routes that open and close the session of the console. Its token is in an HttpOnly cookie and in no response body. */
export function consoleSession(context: Context) {
  const app = new Elysia({ name: 'console-session' })
  if (!context.config.console) return app
  return app
    .use(context.auth)
    .post(
      '/console/session',
      async ({ request, body, address, set }) => {
        const origin = serverAddressFor(context, request)
        assertFromConsole(request, origin)
        const party = relyingPartyOf(origin, context.config.corsOrigins)
        const { user, token } = await openConsoleSession(context, body, party, clientOriginOf({ request, address }))
        const session = consoleCookie(token, origin, body.isOwnDevice ? sessionLifeMs.ownDevice / 1000 : undefined)
        // The kept session of an administrator must not become the session of another user by a later stop.
        set.headers['set-cookie'] = readAdminCookie(request, origin) === null ? session : [session, adminCookie(null, origin)]
        set.headers['cache-control'] = 'no-store'
        return { data: { user } }
      },
      { open: true, body: ConsoleSignIn, response: Data(ConsoleSession), detail: { hide: true } },
    )
    .delete(
      '/console/session',
      async ({ request, caller, set }) => {
        const origin = serverAddressFor(context, request)
        assertFromConsole(request, origin)
        const keptToken = readAdminCookie(request, origin)
        await signOutBoth(context, caller, keptToken)
        const ended = consoleCookie(null, origin)
        set.headers['set-cookie'] = keptToken === null ? ended : [ended, adminCookie(null, origin)]
        set.status = 204
      },
      { open: true, response: { 204: T.Void() }, detail: { hide: true } },
    )
}
