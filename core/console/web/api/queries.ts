import { QueryClient } from '@tanstack/preact-query'
import { OFFLINE, RequestError } from './errors.ts'

const MOST_RETRIES = 2
const isTransient = (error: unknown) => error instanceof RequestError && (error.code === OFFLINE || error.status >= 500)

/** Key of who is signed in, which is read anew when an answer says that this has changed. */
export const ME_KEY = ['me']

/** Cache of everything read from the API. Data is shown while it is read again; only failures that may pass are retried. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      gcTime: 5 * 60_000,
      refetchOnWindowFocus: true,
      retry: (failures, error) => failures < MOST_RETRIES && isTransient(error),
    },
    mutations: { retry: false },
  },
})
