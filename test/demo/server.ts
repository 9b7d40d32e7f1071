import metaAds from '../../adapters/ads/meta/index.ts'
import googleSheets from '../../adapters/spreadsheet/google-sheets/index.ts'
import { readConfig } from '../../core/config.ts'
import { requestDueEventSends } from '../../core/connectors/ads/events/send-events.ts'
import { requestDueSheetWrites } from '../../core/connectors/sheet-export/due-writes.ts'
import { requestDueStatusPushes } from '../../core/connectors/shops/stock/push-status.ts'
import { projectIdOf } from '../../core/data/project-ids.ts'
import { createSignInLink } from '../../core/identity/codes/sign-in-link.ts'
import { findStoredValue } from '../../core/integrations/connections/calls/storage.queries.ts'
import { serve } from '../../core/serve.ts'
import { startMeta } from '../adapters/ads/meta/simulator.ts'
import { startYalidine, usualLimits } from '../adapters/carrier/yalidine/simulator.ts'
import { startChargily } from '../adapters/payment/chargily/simulator.ts'
import { startGoogle } from '../adapters/spreadsheet/google-sheets/simulator.ts'
import { freshFolder } from './folder.ts'

const USUAL_PORT = 3000

/** Starts the server as `start` does, with its own database, and simulators of all other platforms. */
export async function startServer({ PORT, DATA_DIR = '.data/demo', LOG_LEVEL = 'error' }: Record<string, string | undefined>) {
  const yalidine = startYalidine({ limits: usualLimits })
  const chargily = startChargily()
  const [google, meta] = [startGoogle(), startMeta()]
  const stopOutside = () => Promise.all([yalidine, chargily, google, meta].map((one) => one.stop()))
  const simulators = {
    'api.yalidine.app': yalidine.url,
    'pay.chargily.net': chargily.url,
    ...Object.fromEntries(googleSheets.net.map((host) => [host, google.url])),
    ...Object.fromEntries(metaAds.net.map((host) => [host, meta.url])),
  }
  try {
    const config = readConfig({
      DATA_DIR,
      LOG_LEVEL,
      PORT: PORT ?? String(freePort()),
      SIMULATORS: Object.entries(simulators)
        .map((pair) => pair.join('='))
        .join(','),
      ALLOW_PRIVATE_WEBHOOKS: 'true',
      RATE_LIMIT_PER_MINUTE: '1000000',
      PUBLIC_RATE_LIMIT_PER_MINUTE: '1000000',
    })
    await freshFolder(config.dataDir)
    const running = await serve(config, { socket: true })
    const { context } = running
    return {
      yalidine,
      chargily,
      origin: running.listening!.url.origin,
      dataDir: config.dataDir,
      simulators: {
        google,
        meta,
        note: ({ id, storeId }: { id: string; storeId: string }, key: string) =>
          findStoredValue(context.sql, { projectId: projectIdOf(storeId), id }, key),
        async runDueJobs() {
          await Promise.all([requestDueSheetWrites(context), requestDueEventSends(context), requestDueStatusPushes(context)])
        },
      },
      /** Address at which the console opens, signed in as this user. */
      async consoleLink(email: string) {
        return `${running.listening!.url.origin}/console/link#${await createSignInLink(context.sql, email)}`
      },
      async stop() {
        await running.stop()
        await stopOutside()
      },
    }
  } catch (error) {
    await stopOutside()
    throw error
  }
}

export type Server = Awaited<ReturnType<typeof startServer>>

/** Returns the usual port if it is free, otherwise 0, which lets the system choose. */
function freePort(): number {
  try {
    Bun.listen({ hostname: '127.0.0.1', port: USUAL_PORT, socket: { data() {} } }).stop(true)
    return USUAL_PORT
  } catch {
    return 0
  }
}
