import { Elysia } from 'elysia'

export const REFRESH_PATH = '/pages/refresh.js'

/** Loads a page again that waits for something, unless nobody looks at it. */
const SCRIPT = `const { seconds } = document.currentScript.dataset
setInterval(() => document.hidden || location.reload(), Number(seconds) * 1000)
`

/** Script of pages that wait for something: `<script src data-seconds>`. */
export const refreshScript = () =>
  new Elysia({ name: 'refresh-script' }).get(
    REFRESH_PATH,
    () =>
      new Response(SCRIPT, {
        headers: {
          'content-type': 'text/javascript; charset=utf-8',
          'cache-control': 'public, max-age=300',
          'x-content-type-options': 'nosniff',
        },
      }),
    { detail: { hide: true } },
  )
