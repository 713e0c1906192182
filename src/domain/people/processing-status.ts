// Whether a developer's activity is processed; wire values. The first two use a seat.

export const PROCESSING_STATUSES = ['processing_stats', 'limited_processing', 'not_processing'] as const;
export type ProcessingStatus = (typeof PROCESSING_STATUSES)[number];

export const usesSeat = (status: ProcessingStatus): boolean => status !== 'not_processing';
