import type { AnyElysia } from 'elysia'
import type { Logger } from 'pino'
import { limits } from './config.ts'
import { runAs } from './data/tenant-context.ts'
import { failureResponse } from './http/errors/envelope.ts'
import { ApiError } from './http/errors/errors.ts'
import { invariant } from './lib/invariant.ts'
import { findListeningSocket } from './listener.ts'

type Fetch = (request: Request, server: Bun.Server<unknown>) => Response | Promise<Response>

/** Options of the listening socket. With `reusePort`, several processes listen on one port and the kernel distributes connections. */
interface Options {
  readonly port: number
  readonly hostname: string
  readonly reusePort: boolean
  readonly log: Logger
}

/** Opens one listening socket. Its application can be replaced between two requests. */
export function listen(first: AnyElysia, { log, ...options }: Options) {
  let isDraining = false
  const fetchOf = (app: AnyElysia): Fetch => {
    const fetch = withHostCheck(app)
    return async (request, server) => (isDraining ? closeAfter(await fetch(request, server)) : fetch(request, server))
  }
  const server = Bun.serve({
    ...options,
    fetch: fetchOf(first),
    development: false,
    // Body parsers enforce the size limit. A request that declares too large a body is refused with an error response.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    idleTimeout: 60,
    error(cause) {
      log.error({ err: cause }, 'a request failed where nothing should')
      return failureResponse(new ApiError('internal_error', 'Something went wrong on our side.'), crypto.randomUUID())
    },
  })
  // Elysia reads `server` to find the caller's address.
  const attach = (app: AnyElysia) => Object.assign(app, { server })
  attach(first)
  // With a shared port, clients that connect during the shutdown reach the other processes.
  const listener = options.reusePort ? findListeningSocket(invariant(server.port, 'The port of a server that listens')) : undefined
  return {
    url: server.url,
    port: invariant(server.port, 'The port of a server that listens'),
    replaceApp(next: AnyElysia) {
      attach(next)
      server.reload({ fetch: fetchOf(next) })
    },
    /** Closes each connection after its next response. Clients then reconnect, which may reach another process. */
    drain() {
      isDraining = true
      listener?.acceptImmediately()
    },
    /** Accepts no new connection and waits for the requests in flight. */
    async stop() {
      if (listener) {
        // Accepts what has arrived first: the kernel resets connections that still wait in the socket's queue.
        await waitUntilIdle()
        listener.close()
        await Bun.sleep(FIRST_REQUEST_MS)
      }
      await Promise.race([server.stop(), Bun.sleep(limits.shutdownMs)])
      await server.stop(true)
    },
  }
}

/** Time within which a client that has connected sends its first request, in milliseconds. */
const FIRST_REQUEST_MS = 500
const ITERATIONS_MAX = 1_000
const IDLE_MS = 0.3

/** Waits until an iteration of the event loop is nearly instant, so that queued connections are accepted. Gives up after 1,000 iterations. */
async function waitUntilIdle(): Promise<void> {
  for (let iteration = 0; iteration < ITERATIONS_MAX; iteration += 1) {
    const began = performance.now()
    await new Promise(setImmediate)
    if (performance.now() - began < IDLE_MS) return
  }
}

/** Refuses requests with an invalid `Host` header: their URL cannot be parsed, and handlers would fail. */
function withHostCheck(app: AnyElysia): Fetch {
  const fetch = app.fetch as (request: Request) => Response | Promise<Response>
  return (request, server) => {
    // The runtime joins repeated headers with a comma, and no host contains a comma.
    if (request.headers.get('host')?.includes(',')) return refuse('The request has more than one Host header.')
    if (URL.canParse(request.url)) return runAs(server.requestIP(request)?.address ?? '', () => fetch(request))
    return refuse('The Host header names no host.')
  }
}

const refuse = (message: string) => failureResponse(new ApiError('invalid_request', message), crypto.randomUUID())

function closeAfter(answer: Response): Response {
  answer.headers.set('connection', 'close')
  return answer
}

/** Listening socket, as {@link listen} returns it. */
export type ListeningServer = ReturnType<typeof listen>
