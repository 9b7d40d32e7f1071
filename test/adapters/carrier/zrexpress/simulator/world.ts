import { createHmac, randomBytes } from 'node:crypto'
import { labelPdf } from '../../../../support/simulator/pdf.ts'
import type { Call } from '../../../../support/simulator/simulator.ts'
import { createMoney } from './money.ts'
import { createBooks, type Json } from './parcels.ts'
import { createWebhooks } from './webhooks.ts'
import { createWorkflow } from './workflow.ts'

/** Where the carrier may be one way or the other. */
export interface Quirks {
  /** Whether filters of a search are followed, passed over, or refused. */
  filters: 'understood' | 'ignored' | 'refused'
  /** Whether a search looks for what was asked at all. */
  search: 'honest' | 'ignored'
  /** A parcel begins in the first state whatever it was created with. */
  ignoresStateId: boolean
  /** Whether the books mark what stands in a payout. */
  marksPaid: boolean
  /** Where labels lie. */
  fileHost: string
  /** Whether several labels come as one file. */
  bindsLabels: boolean
}

export const usualQuirks: Quirks = {
  filters: 'understood',
  search: 'honest',
  ignoresStateId: false,
  marksPaid: true,
  fileHost: 'files.example',
  bindsLabels: true,
}

/** Values that work, as a person would type them. */
export type Credentials = {
  readonly apiKey: string
  readonly tenant: string
  readonly webhookSecret: string
}

const labelMs = 65 * 60_000

/** All that the simulated carrier has: one tenant with its workflow, parcels, money and webhooks. */
export function createWorld(credentials: Credentials, now: () => number) {
  const workflow = createWorkflow()
  const books = createBooks(workflow, now)
  const signing = randomBytes(16)
  const signed = (words: string) => createHmac('sha256', signing).update(words).digest('hex')
  const quirks: Quirks = { ...usualQuirks }
  return {
    credentials,
    workflow,
    books,
    quirks,
    money: createMoney(books, now),
    webhooks: createWebhooks(books, credentials.webhookSecret, now),
    customers: [] as Json[],
    modificationRequests: [] as Json[],
    products: [
      { id: crypto.randomUUID(), name: 'Basket 42', sku: 'SNK-42', quantity: 12 },
      { id: crypto.randomUUID(), name: 'Basket 43', sku: 'SNK-43', quantity: 0 },
    ] as Json[],

    /** Signed, for 65 minutes. */
    fileUrl(tracking: string): string {
      const path = `/files/${tracking}.pdf`
      const until = now() + labelMs
      return `https://${quirks.fileHost}${path}?until=${until}&signature=${signed(`${path} ${until}`)}`
    },
    /** Asks for no key: the address is the proof. */
    file({ path, query }: Call): Response {
      const until = Number(query.get('until'))
      const isValid = query.get('signature') === signed(`${path} ${until}`) && until > now()
      return isValid ? labelPdf('ZR Express') : new Response('Expired', { status: 403 })
    },
  }
}

export type World = ReturnType<typeof createWorld>
