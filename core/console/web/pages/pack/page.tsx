import '../../styles/pack.css'
import { useRef, useState } from 'preact/hooks'
import { useStore } from '../../session/store.tsx'
import { Choices } from '../../ui/form/choices.tsx'
import { t } from '../../words/words.ts'
import { type Step, useScans } from './pack-data.ts'
import { ScanList } from './scan-list.tsx'

const steps = ['pack', 'handOver', 'good', 'damaged'] as const satisfies readonly Step[]

/** Records by scan that parcels were packed, handed over, or came back. The field keeps the focus, so that a scanner needs no hand. */
export default function PackPage() {
  const { can } = useStore()
  const [step, setStep] = useState<Step>('pack')
  const { results, record, isPending } = useScans()
  const shown = results.filter((result) => result.step === step)
  const field = useRef<HTMLInputElement>(null)
  const allowed = steps.filter((each) =>
    can(each === 'pack' ? 'packParcels' : each === 'handOver' ? 'handOverParcels' : 'receiveReturnedParcels'),
  )
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const codes = (field.current?.value ?? '').split(/[\s,;]+/).filter(Boolean)
    if (field.current) field.current.value = ''
    field.current?.focus()
    record(step, codes)
  }
  return (
    <main class="page pack" aria-busy={isPending}>
      <div class="page-head">
        <h1>{t('nav.pack')}</h1>
      </div>
      <Choices
        label={t('pack.step')}
        value={step}
        choices={allowed.map((each) => [each, t(`pack.step.${each}`)] as const)}
        onChoose={(chosen) => {
          setStep(chosen)
          field.current?.focus()
        }}
      />
      <form class="row scan-form" onSubmit={submit}>
        <input
          ref={field}
          class="input ltr"
          aria-label={t('pack.code')}
          placeholder={t('pack.code')}
          autocomplete="off"
          autocapitalize="characters"
          spellcheck={false}
          autofocus
        />
        <button type="submit" class="button primary">
          {t('pack.record')}
        </button>
      </form>
      {shown.length === 0 ? <p class="empty">{t('pack.empty')}</p> : <ScanList results={shown} />}
    </main>
  )
}
