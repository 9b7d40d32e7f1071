import type { components, operations, paths } from 'serai:api'
import createClient from 'openapi-fetch'
import { refreshMe } from './queries.ts'

/** Schemas of the API by name, such as `Schemas['Order']`. */
export type Schemas = components['schemas']
/** Name of an operation of the API. */
export type OperationId = keyof operations

/** Time in milliseconds after which a request is given up, and one that sends a file. */
const TIMEOUT_MS = 20_000
const UPLOAD_TIMEOUT_MS = 180_000

const fetchWithin = (ms: number) => (request: Request) =>
  fetch(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(ms)]) })

/**
 * Typed client of the public API. The session is in a cookie that scripts cannot read; the header lets it count for requests that change
 * something.
 */
export const api = createClient<paths>({
  baseUrl: '/',
  credentials: 'same-origin',
  headers: { 'x-serai-console': '1' },
  fetch: fetchWithin(TIMEOUT_MS),
})

// Any 401 may mean that the session has ended. Reading the user again then shows the sign-in.
api.use({
  onResponse({ schemaPath, response }) {
    if (response.status === 401 && schemaPath !== '/v1/me') void refreshMe({ cancelRefetch: false })
  },
})

/** Options of a request that sends a form with a file. The type of such a body says nothing about the file. */
export const upload = (form: FormData) => ({
  body: form as never,
  bodySerializer: (body: unknown) => body as FormData,
  fetch: fetchWithin(UPLOAD_TIMEOUT_MS),
})
