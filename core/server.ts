import type { AnyElysia } from 'elysia'
import type { Logger } from 'pino'
import { limits } from './config.ts'
import { runAs } from './data/tenant-context.ts'
import { failureResponse } from './http/errors/envelope.ts'
import { ApiError } from './http/errors/errors.ts'
import { invariant } from './lib/invariant.ts'
import { listenerOn } from './listener.ts'

type Fetch = (request: Request, server: Bun.Server<unknown>) => Response | Promise<Response>

/** `reusePort`: other processes listen on the same port, and the system gives each its share of the connections. */
interface Options {
  readonly port: number
  readonly hostname: string
  readonly reusePort: boolean
  readonly log: Logger
}

/** One listening socket whose application can be replaced between two requests. */
export function listen(first: AnyElysia, { log, ...options }: Options) {
  let isDraining = false
  const fetchOf = (app: AnyElysia): Fetch => {
    const fetch = guarded(app)
    return async (request, server) => (isDraining ? lastOf(await fetch(request, server)) : fetch(request, server))
  }
  const server = Bun.serve({
    ...options,
    fetch: fetchOf(first),
    development: false,
    // Whoever reads a body counts its bytes; what is too large by its own word is refused with an answer that says so.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    idleTimeout: 60,
    error(cause) {
      log.error({ err: cause }, 'a request failed where nothing should')
      return failureResponse(new ApiError('internal_error', 'Something went wrong on our side.'), crypto.randomUUID())
    },
  })
  // Elysia reads `server` for the caller's address.
  const attach = (app: AnyElysia) => Object.assign(app, { server })
  attach(first)
  // Where others listen on the port, who connects while this one stops is theirs.
  const listener = options.reusePort ? listenerOn(invariant(server.port, 'The port of a server that listens')) : undefined
  return {
    url: server.url,
    port: invariant(server.port, 'The port of a server that listens'),
    swap(next: AnyElysia) {
      attach(next)
      server.reload({ fetch: fetchOf(next) })
    },
    /** From now on each answer is the last of its connection: who asks again comes by a new one, which may lead to another process. */
    drain() {
      isDraining = true
      listener?.takeAtOnce()
    },
    /** Takes no new connection and lets requests in flight finish. */
    async stop() {
      if (listener) {
        // What has arrived is taken first: connections that the system holds for a socket are broken off with it.
        await untilCalm()
        listener.close()
        await Bun.sleep(FIRST_REQUEST_MS)
      }
      await Promise.race([server.stop(), Bun.sleep(limits.shutdownMs)])
      await server.stop(true)
    },
  }
}

/** Who has connected asks within this. */
const FIRST_REQUEST_MS = 500
const TURNS_MAX = 1_000
const CALM_MS = 0.3

/** Until a turn of the event loop takes next to no time, so that what has arrived was taken just now; or not for ever. */
async function untilCalm(): Promise<void> {
  for (let turn = 0; turn < TURNS_MAX; turn += 1) {
    const began = performance.now()
    await new Promise(setImmediate)
    if (performance.now() - began < CALM_MS) return
  }
}

/** With a `Host` that is none, the address of a request is none either, and whatever looks into it would break. */
function guarded(app: AnyElysia): Fetch {
  const fetch = app.fetch as (request: Request) => Response | Promise<Response>
  return (request, server) => {
    // The runtime joins the values of a repeated header, and no host has a comma.
    if (request.headers.get('host')?.includes(',')) return refused('The request has more than one Host header.')
    if (URL.canParse(request.url)) return runAs(server.requestIP(request)?.address ?? '', () => fetch(request))
    return refused('The Host header names no host.')
  }
}

const refused = (message: string) => failureResponse(new ApiError('invalid_request', message), crypto.randomUUID())

function lastOf(answer: Response): Response {
  answer.headers.set('connection', 'close')
  return answer
}

export type Listening = ReturnType<typeof listen>
