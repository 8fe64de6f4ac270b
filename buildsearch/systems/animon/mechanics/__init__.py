"""The steps of a fight, each stated once, for the engines that sample and those that solve."""
