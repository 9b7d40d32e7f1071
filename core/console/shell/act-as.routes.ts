import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { serverAddressFor } from '../../http/address/server-address.ts'
import { adminCookie, assertFromConsole, consoleCookie, readAdminCookie, readConsoleCookie } from '../../http/auth/console-cookie.ts'
import { unauthenticatedError } from '../../http/auth/principal.ts'
import { Data } from '../../http/schema.ts'
import { clientOriginOf } from '../../identity/auth/sign-in/create-session.ts'
import { actAsUser, stopActing } from '../../identity/users/act-as-user.ts'
import { LoginAs } from '../../identity/users/users.model.ts'
import { consoleErrors } from './console.errors.ts'
import { remainingCookieAge } from './cookie-age.ts'
import { ActingStarted, ActingStopped } from './session.model.ts'

/**
 * Routes by which an administrator acts as a user in the console, and stops. The session cookie then holds the session in the name of the
 * user; a second one keeps the administrator's own. Both are HttpOnly, and no response body contains a token.
 */
export function consoleActAs(context: Context) {
  const app = new Elysia({ name: 'console-act-as' })
  if (!context.config.console) return app
  /** Returns our address. Throws `forbidden` unless the request comes from a page of the console, with cookies alone. */
  const assertByCookie = (request: Request) => {
    const origin = serverAddressFor(context, request)
    assertFromConsole(request, origin)
    if (request.headers.has('authorization')) throw consoleErrors.cookieNeeded()
    return origin
  }
  return app
    .use(context.auth)
    .post(
      '/console/session/act-as',
      async ({ request, body, address, set }) => {
        const origin = assertByCookie(request)
        const ownToken = readConsoleCookie(request, origin)?.credential ?? null
        if (ownToken === null) throw unauthenticatedError()
        const { user, token, expiresAt, own } = await actAsUser(context, ownToken, body, clientOriginOf({ request, address }))
        const ownAge = remainingCookieAge(own)
        // On a shared device, closing the browser ends both. Elsewhere the cookie ends with its session.
        const age = ownAge === undefined ? undefined : Math.ceil((Date.parse(expiresAt) - Date.now()) / 1000)
        set.headers['set-cookie'] = [consoleCookie(token, origin, age), adminCookie(ownToken, origin, ownAge)]
        set.headers['cache-control'] = 'no-store'
        return { data: { user, expiresAt } }
      },
      { user: 'admin', body: LoginAs, response: Data(ActingStarted), detail: { hide: true } },
    )
    .delete(
      '/console/session/act-as',
      async ({ request, caller, set }) => {
        const origin = assertByCookie(request)
        const keptToken = readAdminCookie(request, origin)
        if (keptToken === null && readConsoleCookie(request, origin) === null) throw unauthenticatedError()
        const own = await stopActing(context, caller, keptToken)
        set.headers['cache-control'] = 'no-store'
        if (own === 'unchanged') return { data: { isSignedIn: true } }
        const session = own === 'ended' ? consoleCookie(null, origin) : consoleCookie(keptToken, origin, remainingCookieAge(own))
        set.headers['set-cookie'] = [session, adminCookie(null, origin)]
        return { data: { isSignedIn: own !== 'ended' } }
      },
      { open: true, response: Data(ActingStopped), detail: { hide: true } },
    )
}
