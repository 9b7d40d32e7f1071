import type { Context } from '../../context.ts'
import { feature } from '../../feature.ts'
import { serverAddressFor } from '../../http/address/server-address.ts'
import { authMacros } from '../../http/auth/auth.ts'
import type { StoreProjectFinder } from '../../http/auth/project-access.ts'
import { deleteExpiredSessions } from './auth.queries.ts'
import { type Authenticator, openAuthenticator } from './credentials/authenticate.ts'
import { lastUsedRecorder } from './credentials/last-used.ts'
import { revocationTriggers } from './credentials/revocation-triggers.ts'
import { deleteOldRevocations } from './credentials/revocations.queries.ts'
import { secondFactor } from './second-factor/second-factor.routes.ts'
import { session } from './sign-in/session.routes.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'auth.deleteExpiredSessions': Record<string, unknown>
    'auth.deleteExpiredRevocations': Record<string, unknown>
  }
}

declare module '../../context.ts' {
  interface Provided {
    /** Provided by the feature that owns stores, which is above identity. */
    readonly projectOfStore: (context: Pick<Context, 'sql'>, ...asked: Parameters<StoreProjectFinder>) => ReturnType<StoreProjectFinder>
  }
  interface Services {
    /** Elysia macros that declare who may call a route. Every routes file uses them: `.use(context.auth)`. */
    readonly auth: ReturnType<typeof authMacros>
    /** Creates caches that drop entries as soon as the database reports a change. */
    readonly credentialCaches: Authenticator['caches']
  }
}

export default feature('auth', {
  async setup(context) {
    const { sql, database, shared, vault, config, bodies } = context
    const used = lastUsedRecorder(sql)
    const { authenticate, caches: credentialCaches, stop } = await openAuthenticator(sql, database.pool(1), shared, vault, used)
    const macros = authMacros(
      {
        authenticate,
        shared,
        perCredential: config.rateLimitPerMinute,
        perAddress: config.publicRateLimitPerMinute,
        perTenant: config.tenantLimits.requestsPerMinute,
        proxies: config.trustedProxies,
        acceptsCookie: config.console,
        findProjectOfStore: (...asked) => context.projectOfStore(context, ...asked),
        addressFor: (request: Request) => serverAddressFor(context, request),
      },
      bodies,
    )
    return { services: { auth: macros, credentialCaches }, close: () => Promise.all([stop(), used.stop()]) }
  },
  routes: [session, secondFactor],
  triggers: revocationTriggers,
  jobs: {
    'auth.deleteExpiredRevocations': {
      schedule: '41 * * * *',
      async work({ sql }) {
        await deleteOldRevocations(sql)
      },
    },
    'auth.deleteExpiredSessions': {
      schedule: '57 3 * * *',
      async work({ sql }) {
        await deleteExpiredSessions(sql)
      },
    },
  },
})
