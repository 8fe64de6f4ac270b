"""What a finite fight of any game needs, once its states are a graph: chances, best play, samples."""
