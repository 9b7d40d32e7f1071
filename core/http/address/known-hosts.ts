import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { ApiError } from '../errors/errors.ts'
import { isOfThisMachine } from './own-address.ts'

/** Routes for probes and for the web server before us, which ask by whatever name they have. */
const ANY_HOST = /^\/(health\/|v1\/domains\/ask$)/

/**
 * Refuses requests for a host that is not ours, once `PUBLIC_URL` says which is: with 421, before anything of them is read. Ours are the hosts of
 * `PUBLIC_URL`, `DOMAIN_TARGET` and `ALLOWED_HOSTS`, this machine's own, and domains that a store has proven (`isProven`).
 */
export function knownHosts({ config }: Pick<Context, 'config'>, isProven: (host: string) => Promise<boolean>) {
  const { publicUrl, domainTarget, allowedHosts } = config
  const app = new Elysia({ name: 'known-hosts' })
  if (publicUrl === undefined) return app
  const named = [new URL(publicUrl).hostname, ...(domainTarget === undefined ? [] : [domainTarget]), ...allowedHosts]
  const ours = new Set(named.map((host) => host.toLowerCase()))
  return app.onRequest(({ request }) => {
    const { hostname, pathname } = new URL(request.url)
    const host = hostname.replace(/\.$/, '')
    if (ours.has(host) || isOfThisMachine(host) || ANY_HOST.test(pathname)) return
    return isProven(host).then((proven) => {
      if (!proven)
        throw new ApiError('unknown_host', 'This server does not answer for the host of this request. Use the address of PUBLIC_URL.')
    })
  })
}
