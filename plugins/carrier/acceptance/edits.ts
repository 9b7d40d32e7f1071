import { type Carrier, type Change, changeFields } from '../contract.ts'
import { assertArrived, lively, otherCity } from './arrival.ts'
import { type Bench, findRecordedParcel } from './bench.ts'
import type { Draft } from './draft.ts'

/** Cases: an edit reaches the carrier's records and changes nothing else. */
export const editCases = (carrier: Carrier): Draft[] => {
  const never = !carrier.edit && 'it takes no edits'
  return [
    { name: 'what is edited arrives, and nothing else changes', unless: never, run: editArrives },
    { name: 'an edit that collects nothing and empties the notes arrives or is refused', unless: never, run: emptyArrives },
    {
      name: 'an edited address arrives or is refused',
      unless: never || (!(carrier.editable ?? changeFields).includes('destination') && 'its addresses stay'),
      run: movesWhereAsked,
    },
  ]
}

/** Fields of a change that the definition lets be asked for. */
export const editableOf = ({ editable = changeFields }: Carrier, change: Change): Change =>
  Object.fromEntries(Object.entries(change).filter(([field]) => editable.includes(field as keyof Change)))

async function editArrives(bench: Bench): Promise<void> {
  const { desk, shipment, sent } = await bench.sent(lively)
  const change = editableOf(bench.carrier, {
    codAmount: 1_500,
    recipient: { name: 'Lina Test', phone: '+213661000000', phoneAlt: '+213770555666' },
    declaredValue: 5_550,
    weightKg: 6.4,
    dimensions: { lengthCm: 52, widthCm: 43, heightCm: 34 },
    contents: 'Panier 17 x1',
    notes: 'Appeler avant midi',
  })
  await bench.carrier.edit!(desk.context, sent.trackingId, change)
  assertArrived(bench.rig, await findRecordedParcel(bench, shipment.reference), { ...shipment, ...change })
}

/** Refused in whole, nothing changes. */
async function arrivesOrIsRefused(bench: Bench, change: Change): Promise<void> {
  const { desk, shipment, sent } = await bench.sent(lively)
  const isRefused = await Promise.resolve(bench.carrier.edit!(desk.context, sent.trackingId, change)).then(
    () => false,
    (error: unknown) => (error as { reason?: string }).reason === 'refused' || Promise.reject(error),
  )
  assertArrived(bench.rig, await findRecordedParcel(bench, shipment.reference), isRefused ? shipment : { ...shipment, ...change })
}

const emptyArrives = (bench: Bench) => arrivesOrIsRefused(bench, editableOf(bench.carrier, { codAmount: 0, notes: '' }))

async function movesWhereAsked(bench: Bench): Promise<void> {
  const { destination } = bench.rig.shipment(lively)
  const cityName = (await otherCity(bench, bench.open())) ?? destination.cityName
  await arrivesOrIsRefused(bench, { destination: { ...destination, cityName, address: 'Rue Neuve 8' } })
}
