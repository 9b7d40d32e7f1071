import { readConfig } from '../../core/config.ts'
import { serve } from '../../core/serve.ts'
import { startYalidine, usualLimits } from '../adapters/carrier/yalidine/simulator.ts'
import { startChargily } from '../adapters/payment/chargily/simulator.ts'
import { freshFolder } from './folder.ts'

const USUAL_PORT = 3000

/** The server as `start` runs it, on a database of its own, and stand-ins for Yalidine, with its quota, and for Chargily. */
export async function startServer({ PORT, DATA_DIR = '.data/demo', LOG_LEVEL = 'error' }: Record<string, string | undefined>) {
  const yalidine = startYalidine({ limits: usualLimits })
  const chargily = startChargily()
  const simulators = { 'api.yalidine.app': yalidine.url, 'pay.chargily.net': chargily.url }
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
    return {
      yalidine,
      chargily,
      origin: running.listening!.url.origin,
      dataDir: config.dataDir,
      async stop() {
        await running.stop()
        await yalidine.stop()
        await chargily.stop()
      },
    }
  } catch (error) {
    await yalidine.stop()
    await chargily.stop()
    throw error
  }
}

export type Server = Awaited<ReturnType<typeof startServer>>

/** 0 lets the system choose. */
function freePort(): number {
  try {
    Bun.listen({ hostname: '127.0.0.1', port: USUAL_PORT, socket: { data() {} } }).stop(true)
    return USUAL_PORT
  } catch {
    return 0
  }
}
