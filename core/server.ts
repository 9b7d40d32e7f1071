import type { AnyElysia } from 'elysia'
import { limits } from './config.ts'

type Fetch = (request: Request) => Response | Promise<Response>

/** One listening socket whose application can be replaced between two requests. */
export function listen(first: AnyElysia, options: { port: number; hostname: string }) {
  const server = Bun.serve({
    ...options,
    fetch: first.fetch as Fetch,
    maxRequestBodySize: limits.uploadBytes + 1024 * 1024,
    idleTimeout: 60,
  })
  // Elysia reads `server` for the caller's address.
  const attach = (app: AnyElysia) => Object.assign(app, { server })
  attach(first)
  return {
    url: server.url,
    port: server.port!,
    swap(next: AnyElysia) {
      attach(next)
      server.reload({ fetch: next.fetch as Fetch })
    },
    /** Takes no new connection and lets requests in flight finish. */
    async stop() {
      await Promise.race([server.stop(), Bun.sleep(limits.shutdownMs)])
      await server.stop(true)
    },
  }
}

export type Listening = ReturnType<typeof listen>
