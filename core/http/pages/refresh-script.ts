import { Elysia } from 'elysia'

/** Path of the reload script. */
export const REFRESH_PATH = '/pages/refresh.js'

/** Reloads the page periodically while it is visible. */
const SCRIPT = `const { seconds } = document.currentScript.dataset
setInterval(() => document.hidden || location.reload(), Number(seconds) * 1000)
`

/** Builds the route of the script that waiting pages load: `<script src data-seconds>`. */
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
