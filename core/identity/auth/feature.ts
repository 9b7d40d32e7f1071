import { feature } from '../../feature.ts'
import { auth } from '../../http/auth.ts'
import { forgetSessions } from './auth.queries.ts'
import { openAuthenticator } from './authenticate.ts'
import { session } from './session.routes.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'auth.forgetSessions': Record<string, unknown>
  }
}

declare module '../../context.ts' {
  interface Services {
    /** The macros that say who may ask: `.use(context.auth)` in every routes file. */
    readonly auth: ReturnType<typeof auth>
  }
}

export default feature('auth', {
  async open({ sql, shared, config, bodies }) {
    const { authenticate, stop } = await openAuthenticator(sql, shared)
    const macros = auth(
      {
        authenticate,
        shared,
        perCredential: config.rateLimitPerMinute,
        perAddress: config.publicRateLimitPerMinute,
        proxies: config.trustedProxies,
        publicUrl: config.publicUrl,
      },
      bodies,
    )
    return { services: { auth: macros }, close: stop }
  },
  routes: [session],
  jobs: {
    'auth.forgetSessions': {
      at: '57 3 * * *',
      async work({ sql }) {
        await forgetSessions(sql)
      },
    },
  },
})
