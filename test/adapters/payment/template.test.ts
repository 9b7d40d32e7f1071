import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { accept, formatResults } from '../../../plugins/acceptance/accept.ts'
import { acceptance, type Rig } from '../../../plugins/payment/acceptance.ts'
import {
  type AdapterContext,
  createReceiver,
  type GatewayEvent,
  hmacSha256,
  isSameSecret,
  type PaymentAdapter,
  toHex,
  type WebhookResult,
} from '../../../plugins/payment/index.ts'
import template from '../../../plugins/payment/template/index.ts'
import { rig } from '../../../plugins/payment/template/rig.ts'
import { scratchFolder } from '../../support/scratch.ts'

const root = join(import.meta.dir, '../../..')

test('template: the gateway that `adapter new` writes passes the acceptance suite', async () => {
  const accepted = await accept(acceptance, template, rig)
  expect(accepted.results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
  expect(accepted.results.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(90)
  expect(formatResults(accepted)).toContain('✓ a checkout arrives as requested')
})

test('template: `adapter new` writes a gateway that passes its suite in its own folder and type-checks', async () => {
  const shelf = await scratchFolder()
  const env = { ...process.env, DATA_DIR: await scratchFolder(), ADAPTER_DIRS: shelf }
  const run = async (...command: string[]) => {
    const child = Bun.spawn([process.execPath, ...command], { cwd: root, env, stderr: 'pipe' })
    const said = (await new Response(child.stdout).text()) + (await new Response(child.stderr).text())
    return { code: await child.exited, said }
  }
  const home = join(shelf, 'atlas-pay')
  expect((await run('core/main.ts', 'adapter', 'new', 'atlas-pay', shelf, '--kind', 'payment')).said).toContain(`Created ${home}`)
  expect(await run('core/main.ts', 'adapter', 'accept', home)).toMatchObject({ code: 0, said: expect.stringContaining(' 0 failed,') })
  for (const config of ['tsconfig.json', 'tsconfig.rig.json'])
    expect((await run('node_modules/typescript/bin/tsc', '-p', join(home, config))).said).toBe('')
}, 120_000)

const secret = 'secret-of-the-address-0123456789'

/** One that signs nothing: what stands in its address is the proof. */
const unsigned: PaymentAdapter = {
  ...template,
  webhook: {
    unsigned: 'webhookSecret',
    receive: createReceiver({
      signed: false,
      verify: ({ url }, { credentials }: AdapterContext) =>
        isSameSecret(String(credentials.webhookSecret ?? ''), new URL(url, 'https://here.invalid').searchParams.get('token')),
      async parse(request, context) {
        const signature = toHex(await hmacSha256(String(context.credentials.webhookSecret), request.body))
        const result = await template.webhook!.receive({ ...request, headers: { 'x-signature': signature } }, context)
        return result.outcome === 'events' ? result.events : []
      },
    }),
  },
}

function unsignedRig(gateway: PaymentAdapter): Rig {
  const signing = rig(gateway)
  const credentials = { ...signing.credentials, webhookSecret: secret }
  return {
    ...signing,
    credentials,
    open: (options) => signing.open({ credentials, ...options }),
    proof: { in: 'query', name: 'token', signs: false },
    callback: async (...given) => ({ ...(await signing.callback!(...given)), url: `/webhook?token=${secret}` }),
  }
}

test('a gateway that signs nothing is held to the secret in its address', async () => {
  const isOfProof = (name: string) => /proof|(?:callback|body).* (?:accepted|rejected)|account|empty body|require each other/.test(name)
  const outcomes = async (gateway: PaymentAdapter) =>
    (await accept(acceptance, gateway, unsignedRig, isOfProof)).results
      .filter(({ outcome }) => outcome === 'failed')
      .map(({ name }) => name)
  expect(await outcomes(unsigned)).toEqual([])
  const believed = async (): Promise<WebhookResult<GatewayEvent>> => ({ outcome: 'events', signed: false, events: [] })
  const careless = { ...unsigned, webhook: { ...unsigned.webhook!, receive: believed } }
  expect(await outcomes(careless)).toEqual([
    'a callback without its proof is rejected',
    'a proof with any character changed is rejected',
    'a callback for another account is rejected',
    'without a secret every callback is rejected',
  ])
})
