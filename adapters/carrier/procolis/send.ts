import { CarrierError, localPhones, type Row, type Sent, type SentRow, type Shipment, translateEach, unreadable, word } from 'serai/carrier'
import { type Account, parcels, read } from './api.ts'
import { type Translated, trackingOf, translate } from './shipment.ts'

/** Parcels per call; the carrier's limit is not known. */
export const sendManyMax = 20

const wordsMax = 500

export async function send(account: Account, shipment: Shipment): Promise<Sent> {
  const { label } = account.company
  const [row] = await create(account, [await translate(account, shipment)])
  if (row?.sent) return row.sent
  if (!row?.refused) throw unreadable(label, `nothing certain on parcel ${shipment.reference}`)
  throw new CarrierError('refused', `${label} refused the parcel: ${row.refused.message}`, row.refused)
}

/** Sends parcels in one call; untranslatable ones are refused here. */
export async function sendMany(account: Account, shipments: readonly Shipment[]): Promise<SentRow[]> {
  const { ready, refused } = await translateEach(shipments, (shipment) => translate(account, shipment))
  return ready.length === 0 ? refused : [...refused, ...(await create(account, ready))]
}

/** Creates parcels. The status is always 200, and each row has its own `MessageRetour`. Rows without a clear message stay unknown. */
async function create(account: Account, shipments: readonly Translated[]): Promise<SentRow[]> {
  const answered = await parcels(
    account,
    'add_colis',
    shipments.map(({ row }) => row),
  )
  const verdicts = shipments.map((shipment) => ({ shipment, ...verdictOf(answered ?? [], shipment, shipments.length) }))
  const doubles = verdicts.filter(({ said }) => said.toLowerCase() === 'double tracking').map(({ shipment }) => shipment)
  const there = await readExisting(account, doubles)
  return verdicts.flatMap(({ shipment, row, said }): SentRow[] => {
    const { reference } = shipment
    if (doubles.includes(shipment)) return doubleRow(shipment, there)
    if (said.toLowerCase() === 'good') return [{ reference, sent: sentOf(row, shipment) }]
    return said === '' ? [] : [{ reference, refused: { code: 'refused', message: said.slice(0, wordsMax) } }]
  })
}

function verdictOf(answered: readonly Row[], shipment: Translated, asked: number): { row: Row; said: string } {
  const alone = asked === 1 && answered.length === 1 ? answered[0] : undefined
  const row = rowOf(answered, shipment) ?? alone ?? {}
  return { row, said: word(row.MessageRetour) ?? '' }
}

const rowOf = (rows: readonly Row[], { tracking, reference }: Pick<Translated, 'tracking' | 'reference'>) =>
  rows.find((row) => word(row.Tracking) === tracking) ?? rows.find((row) => word(row.id_Externe) === reference)

const sentOf = (row: Row, { tracking, warnings }: Translated): Sent => ({
  trackingId: word(row.Tracking) ?? tracking,
  ...(warnings.length > 0 && { warnings: [...warnings] }),
})

/** Reads what the carrier has under these numbers. When it cannot be read, their outcome stays unknown. */
async function readExisting(account: Account, doubles: readonly Translated[]): Promise<Row[]> {
  try {
    return await read(
      account,
      doubles.map(({ tracking }) => tracking),
    )
  } catch (error) {
    account.context.log('could not read what stands under numbers that were refused as double', { problem: String(error) })
    return []
  }
}

/** Outcome of a duplicate number: sent, if the carrier shows that it is our parcel. */
function doubleRow(shipment: Translated, there: readonly Row[]): SentRow[] {
  const { reference, tracking } = shipment
  const row = rowOf(there, shipment)
  if (!row) return []
  const owner = ownerOf(row, reference, word(shipment.row.MobileA))
  if (owner === 'us') return [{ reference, sent: sentOf(row, shipment) }]
  const why = owner === 'another' ? 'for another recipient or order' : 'and does not show whose it is: look for it in its portal'
  return [
    {
      reference,
      refused: {
        code: 'double_tracking',
        message: `the carrier already has a parcel ${tracking}, ${why}. Nothing new was made; send it under another reference.`,
      },
    },
  ]
}

/** Compares a row's reference and phone with ours, and returns the owner of the parcel. */
function ownerOf(row: Row, reference: string, phone?: string): 'us' | 'another' | 'unclear' {
  const [shownPhone] = localPhones(word(row.MobileA) ?? '')
  const pairs = [
    [word(row.id_Externe), reference],
    [shownPhone, phone],
  ].filter(([shown, ours]) => shown !== undefined && ours !== undefined)
  if (pairs.some(([shown, ours]) => shown !== ours)) return 'another'
  return pairs.length > 0 ? 'us' : 'unclear'
}

/** Finds a parcel by reference; null only when the carrier clearly has none. */
export async function findByReference(account: Account, reference: string): Promise<Sent | null> {
  const tracking = await trackingOf(reference)
  const rows = await read(account, [tracking])
  if (rows.length === 0) return null
  const row = rowOf(rows, { tracking, reference })
  if (!row) throw unreadable(account.company.label, `the look-up of ${tracking} showed other parcels`)
  return ownerOf(row, reference) === 'another' ? null : { trackingId: word(row.Tracking) ?? tracking }
}

/** Moves a parcel from preparation to "ready to ship". */
export async function validate(account: Account, trackingId: string): Promise<void> {
  const { label } = account.company
  const rows = await parcels(account, 'pret', [{ Tracking: trackingId }])
  if (!rows || rows.length === 0) throw new CarrierError('not_found', `${label} has no parcel ${trackingId}.`)
  const said = word(rows[0]!.MessageRetour)
  if (said !== undefined && said.toLowerCase() !== 'good')
    throw new CarrierError('refused', `${label} refused: ${said.slice(0, wordsMax)}`, { message: said.slice(0, wordsMax) })
}
