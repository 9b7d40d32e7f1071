#!/usr/bin/env bun
import { runAdapterCommand } from '../plugins/host/commands/main.ts'
import { adapterSettings } from './adapter-settings.ts'
import { readConfig } from './config.ts'
import { serverAddress } from './http/address/server-address.ts'

const USAGE = `Usage: serai <command>

  serve                starts the server; environment variables are its settings
  check                checks that orders, stock, parcels and money agree; exits with 1 if they do not
  places import        imports the places of a country from files; "serai places --help" shows details
  sign-in-link EMAIL   prints a link that signs this user in to the console once
  adapter <command>    lists, inspects, approves, adds, removes, creates and tests adapters; "serai adapter --help" shows details`

const commands: Record<string, (given: readonly string[]) => Promise<void>> = {
  async serve() {
    // Imports the server only here, so that the other commands start fast.
    const { serve } = await import('./serve.ts')
    const running = await serve(readConfig(process.env), { socket: true })
    const origin = running.listening?.url.origin ?? ''
    running.context.log.info(`Serai listens on ${origin}; the reference page is ${origin}/openapi`)
    if (running.context.config.console)
      running.context.log.info(
        `The console is ${serverAddress(running.context)}/console; "serai sign-in-link EMAIL" prints a link that signs in`,
      )
    // Keeps the process running when a promise is rejected and nothing handles it: other requests must not fail.
    process.on('unhandledRejection', (err) => running.context.log.error({ err }, 'unhandled promise rejection'))
    const stop = async (signal: string) => {
      running.context.log.info(`${signal}: waiting for requests and jobs to finish`)
      // Drains on SIGTERM only. Ctrl-C in a terminal stops at once.
      await running.stop({ drain: signal === 'SIGTERM' })
      process.exit(0)
    }
    for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void stop(signal))
  },
  async places([verb, ...given]) {
    const { PLACES_USAGE, runPlacesImport: runImport } = await import('./commands/import-places.ts')
    if (verb !== 'import') throw new Error(PLACES_USAGE)
    await runImport(readConfig(process.env), given, console.log)
    process.exit(0)
  },
  async check() {
    const { runCheckCommand } = await import('./commands/check.ts')
    process.exit((await runCheckCommand(readConfig(process.env), console.log)) ? 0 : 1)
  },
  async 'sign-in-link'(given) {
    const { printSignInLink } = await import('./commands/sign-in-link.ts')
    await printSignInLink(readConfig(process.env), given, console.log)
    process.exit(0)
  },
  async adapter(given) {
    const { shelf, options } = adapterSettings(readConfig(process.env))
    process.exit(await runAdapterCommand(given, shelf, options, { say: console.log, complain: console.error }))
  },
}

const [name = 'help', ...given] = process.argv.slice(2)
if (['help', '--help', '-h'].includes(name)) {
  console.log(USAGE)
  process.exit(0)
}
const command = Object.hasOwn(commands, name) ? commands[name] : undefined
if (!command) {
  console.error(`Unknown command "${name}".\n\n${USAGE}`)
  process.exit(2)
}
await command(given).catch((error) => {
  console.error(error instanceof Error ? error.message : error)
  if (process.env.LOG_LEVEL === 'debug') console.error(error)
  process.exit(1)
})
