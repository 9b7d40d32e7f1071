import { useState } from 'preact/hooks'
import { Icon } from '../../../ui/icons.tsx'
import { Name } from '../../../ui/values.tsx'
import { t } from '../../../words/words.ts'

interface DropZoneProps {
  readonly file: File | null
  readonly onChoose: (file: File) => void
}

/** Field for a file, which can also be dropped on it. */
export function DropZone({ file, onChoose }: DropZoneProps) {
  const [isOver, setOver] = useState(false)
  const chooseFirst = (files: FileList | null | undefined) => {
    const first = files?.[0]
    if (first) onChoose(first)
  }
  return (
    <label
      class={`drop-zone card ${isOver ? 'over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        chooseFirst(event.dataTransfer?.files)
      }}
    >
      <Icon name="file" />
      {file === null ? <span>{t('cash.drop')}</span> : <Name inline>{file.name}</Name>}
      <span class="button">{t(file === null ? 'cash.choose' : 'cash.otherFile')}</span>
      <span class="small muted">{t('cash.dropHint')}</span>
      <input
        type="file"
        class="visually-hidden"
        accept=".csv,.txt,.xlsx,text/csv"
        onChange={({ currentTarget }) => {
          chooseFirst(currentTarget.files)
          // The same file may be chosen again after it was mended.
          currentTarget.value = ''
        }}
      />
    </label>
  )
}
