import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { ApiError } from '../errors/errors.ts'
import { isLocalHost } from './server-address.ts'

/** Routes that answer under any host: health probes, and the check that a web server in front makes. */
const ANY_HOST = /^\/(health\/|v1\/domains\/ask$)/

/**
 * Refuses requests for foreign hosts with 421, before their body is read. Does nothing unless `PUBLIC_URL` is set. Accepts the hosts of
 * `PUBLIC_URL`, `DOMAIN_TARGET` and `ALLOWED_HOSTS`, this machine's own names, and domains that a store has proven (`isProven`).
 */
export function rejectUnknownHosts({ config }: Pick<Context, 'config'>, isProven: (host: string) => Promise<boolean>) {
  const { publicUrl, domainTarget, allowedHosts } = config
  const app = new Elysia({ name: 'known-hosts' })
  if (publicUrl === undefined) return app
  const named = [new URL(publicUrl).hostname, ...(domainTarget === undefined ? [] : [domainTarget]), ...allowedHosts]
  const ours = new Set(named.map((host) => host.toLowerCase()))
  return app.onRequest(({ request }) => {
    const { hostname, pathname } = new URL(request.url)
    const host = hostname.replace(/\.$/, '')
    if (ours.has(host) || isLocalHost(host) || ANY_HOST.test(pathname)) return
    return isProven(host).then((proven) => {
      if (!proven)
        throw new ApiError('unknown_host', 'This server does not answer for the host of this request. Use the address of PUBLIC_URL.')
    })
  })
}
