import { useState } from 'preact/hooks'
import { type CarrierDesks, type StopDesk, useStopDesks } from '../../api/stop-desks.ts'
import { useStore } from '../../session/store.tsx'
import { isolate } from '../../words/format.ts'
import { t } from '../../words/words.ts'
import { describeFailure } from '../failure.tsx'
import { Field } from './field.tsx'

/** Values of an address that decide which stop desks it may have. */
interface DeskAddress {
  readonly stateCode: string
  readonly cityName: string
  readonly deliveryType: string
  /** Empty for the nearest stop desk. */
  readonly pickupId: string
}

/** Adds to a change of an address that it clears the stop desk, when it names another place or delivery type. */
export function clearStopDesk<Change extends Partial<DeskAddress>>(before: DeskAddress, change: Change): Change & Partial<DeskAddress> {
  const isMoved = (['stateCode', 'cityName', 'deliveryType'] as const).some((name) => (change[name] ?? before[name]) !== before[name])
  return isMoved ? { ...change, pickupId: '' } : change
}

interface StopDeskFieldProps {
  readonly country: string
  readonly address: DeskAddress
  readonly onChoose: (pickupId: string) => void
  readonly problem?: string | undefined
}

/** Shows the choice of a stop desk, for an order that goes to one and a user who may read them. */
export function StopDeskField(props: StopDeskFieldProps) {
  const { can } = useStore()
  return can('geoPickups') && props.address.deliveryType === 'pickup' ? <StopDeskChoice {...props} /> : null
}

function StopDeskChoice({ country, address: { stateCode, cityName, pickupId }, onChoose, problem }: StopDeskFieldProps) {
  // An address holds the ID alone, which two carriers may have given to different desks.
  const [carrier, setCarrier] = useState('')
  const { carriers, error } = useStopDesks({ country, stateCode, cityName })
  const desks = carriers?.flatMap((each) => each.desks) ?? []
  const chosen = desks.find((desk) => desk.id === pickupId && desk.carrier === carrier) ?? desks.find(({ id }) => id === pickupId)
  const choose = (key: string) => {
    const desk = desks.find((each) => keyOf(each) === key)
    setCarrier(desk?.carrier ?? '')
    onChoose(desk?.id ?? key)
  }
  const hint = error ? describeFailure(error) : carriers?.length === 0 ? t('place.noPickup') : undefined
  return (
    <Field label={t('place.pickup')} hint={hint} problem={problem}>
      <select value={chosen ? keyOf(chosen) : pickupId} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        <option value="">{t('place.nearest')}</option>
        {pickupId !== '' && !chosen && (
          <option value={pickupId}>{carriers ? t('place.pickupGone', { id: isolate(pickupId) }) : pickupId}</option>
        )}
        {carriers?.map((each) => (
          <DeskGroup key={each.carrier} {...each} />
        ))}
      </select>
    </Field>
  )
}

const keyOf = ({ carrier, id }: StopDesk) => `${carrier} ${id}`

const DeskGroup = ({ label, desks }: CarrierDesks) => (
  <optgroup label={label}>
    {desks.map((desk) => (
      <option key={desk.id} value={keyOf(desk)}>
        {`${isolate(desk.name)} · ${isolate(desk.cityName)}`}
      </option>
    ))}
  </optgroup>
)
