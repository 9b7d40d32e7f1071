#!/usr/bin/env bun
import { runAdapterCommand } from '../plugins/host/commands/main.ts'
import { readConfig } from './config.ts'
import { adapterSettings } from './process.ts'
import { serve } from './serve.ts'

const commands: Record<string, (given: readonly string[]) => Promise<void>> = {
  async serve() {
    const running = await serve(readConfig(process.env), { socket: true })
    const { origin } = running.listening!.url
    running.context.log.info(`Serai listens on ${origin}; the reference page is ${origin}/openapi`)
    // A promise that nobody waited for must not take down everybody's requests.
    process.on('unhandledRejection', (err) => running.context.log.error({ err }, 'a failure that nobody caught'))
    const stop = async (signal: string) => {
      running.context.log.info(`${signal}: letting requests and jobs finish`)
      await running.stop()
      process.exit(0)
    }
    for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void stop(signal))
  },
  async adapter(given) {
    const { shelf, options } = adapterSettings(readConfig(process.env))
    process.exit(await runAdapterCommand(given, shelf, options, { say: console.log, complain: console.error }))
  },
}

const [name = 'serve', ...given] = process.argv.slice(2)
const command = commands[name]
if (!command) {
  console.error(`There is no command "${name}". Known are: ${Object.keys(commands).join(', ')}.`)
  process.exit(2)
}
await command(given).catch((error) => {
  console.error(error instanceof Error ? error.message : error)
  if (process.env.LOG_LEVEL === 'debug') console.error(error)
  process.exit(1)
})
