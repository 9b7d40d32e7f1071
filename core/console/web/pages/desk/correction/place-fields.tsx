import { type Place, useCities, useStates } from '../../../api/places.ts'
import { problemOf } from '../../../ui/failure.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { clearStopDesk, StopDeskField } from '../../../ui/form/stop-desk-field.tsx'
import { language, t } from '../../../words/words.ts'
import type { Draft } from './draft.ts'
import type { Correction } from './use-correction.ts'

const deliveryTypes = ['home', 'pickup'] as const

/** Fields of the place, the address and the note. State and commune are chosen from the catalogue; an unknown one stays until then. */
export function PlaceFields({ correction }: { readonly correction: Correction }) {
  const { order, draft, edit, failure, isMissing } = correction
  const move = (change: Partial<Draft>) => edit(clearStopDesk(draft, change))
  const { country } = order.destination
  const states = useStates(country).data ?? []
  const isState = states.some(({ code }) => code === draft.stateCode)
  const cities = useCities(country, isState ? draft.stateCode : undefined).data ?? []
  const problem = (field: 'stateCode' | 'cityName' | 'address' | 'deliveryType') =>
    isMissing(field) ? t('desk.missing') : problemOf(failure, `destination/${field}`)
  return (
    <div class="stack desk-form">
      <div class="desk-pair">
        <Field label={t('desk.state')} problem={problem('stateCode')}>
          <select value={draft.stateCode} onChange={({ currentTarget }) => move({ stateCode: currentTarget.value, cityName: '' })}>
            {!isState && <option value={draft.stateCode}>{draft.stateCode}</option>}
            {states.map((state) => (
              <option key={state.code} value={state.code}>
                {`${state.code} ${nameOf(state)}`}
              </option>
            ))}
          </select>
        </Field>
        <Field label={t('desk.city')} problem={problem('cityName')}>
          <select value={draft.cityName} onChange={({ currentTarget }) => move({ cityName: currentTarget.value })}>
            {draft.cityName === '' && <option value="">{t('desk.choose')}</option>}
            {draft.cityName !== '' && !cities.some(({ name }) => name === draft.cityName) && (
              <option value={draft.cityName}>{draft.cityName}</option>
            )}
            {cities.map((city) => (
              <option key={city.code} value={city.name}>
                {nameOf(city)}
              </option>
            ))}
          </select>
        </Field>
      </div>
      <Field label={t('desk.address')} problem={problem('address')}>
        <input value={draft.address} maxLength={500} dir="auto" onInput={({ currentTarget }) => edit({ address: currentTarget.value })} />
      </Field>
      <Field label={t('desk.deliveryType')} problem={problem('deliveryType')}>
        <select
          value={draft.deliveryType}
          onChange={({ currentTarget }) => move({ deliveryType: currentTarget.value as Draft['deliveryType'] })}
        >
          {deliveryTypes.map((each) => (
            <option key={each} value={each}>
              {t(`desk.${each}`)}
            </option>
          ))}
        </select>
      </Field>
      <StopDeskField
        country={country}
        address={draft}
        onChoose={(pickupId) => edit({ pickupId })}
        problem={problemOf(failure, 'destination/pickupId')}
      />
      <Field label={t('desk.note')} problem={problemOf(failure, 'note')}>
        <textarea
          value={draft.note}
          maxLength={2000}
          rows={2}
          dir="auto"
          onInput={({ currentTarget }) => edit({ note: currentTarget.value })}
        />
      </Field>
    </div>
  )
}

const nameOf = ({ name, nameAr }: Place) => (language.value === 'ar' && nameAr ? nameAr : name)
