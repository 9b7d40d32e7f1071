import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { freshDatabase } from '../support/database.ts'
import { makeBundles, withBundles } from '../support/first-start.ts'
import { scratchFolder } from '../support/scratch.ts'

/** Libraries that load at their first use: labels, sheets, pictures, mails, assistants, sign-in with others, phone numbers, patterns. */
const RARE = [
  '@apple/app-store-server-library',
  '@bwip-js/node',
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/server',
  '@pdfme/pdf-lib',
  '@rapideditor/country-coder',
  '@simplewebauthn/server',
  '@turf/boolean-point-in-polygon',
  'arctic',
  'bidi-js',
  'csv-parse',
  'eventsource-parser',
  'fontkit',
  'jose',
  'libphonenumber-js',
  'nodemailer',
  're2js',
  'saxes',
  'sharp',
  'yaml',
]
const PROGRAM = join(import.meta.dir, '../support/loaded-modules-program.ts')
const PACKAGE = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//

test('an idle server has loaded none of the libraries that few servers use', async () => {
  await makeBundles()
  const dataDir = await withBundles(await scratchFolder())
  const child = Bun.spawn([process.execPath, PROGRAM, JSON.stringify(await freshDatabase()), dataDir], { stderr: 'inherit' })
  const { isHealthy, files } = JSON.parse(await new Response(child.stdout).text()) as { isHealthy: boolean; files: string[] }
  const packages = new Set(files.flatMap((file) => PACKAGE.exec(file)?.[1] ?? []))
  expect(isHealthy).toBe(true)
  expect(packages).toContain('elysia')
  expect(RARE.filter((name) => packages.has(name))).toEqual([])
})
